#include "npq/nn/processors/attention.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/stack.h>

#include <string>

#include "npq/kernels/constants.h"
#include "npq/ops/path.h"

namespace npq::nn {
ops::ParameterSpecs Attention::shared_parameters(const ProcessorOptions& options,
                                                 std::int64_t hidden) {
  ops::ParameterSpecs specs;
  ops::add_linear(specs, "processor/m", 2 * hidden, hidden);
  ops::add_linear(specs, "processor/skip", 2 * hidden, hidden);
  if (options.layer_norm) ops::add_layer_norm(specs, "processor/ln", hidden);
  return specs;
}

Attention::Attention(const ProcessorOptions& options, const ops::ParameterStore& store)
    : heads_(options.heads),
      adjacency_(options.kind().adjacency),
      m_(store, "processor/m"),
      skip_(store, "processor/skip") {
  if (options.layer_norm) norm_.emplace(store, "processor/ln");
}

Processed Attention::process(const Features& features, const at::Tensor& hidden,
                             const std::optional<MemoryMessages>& memory) const {
  const auto z = features.node.beside({hidden});
  auto agg = attend(z, features);
  if (memory) agg = agg + heard_sum(*memory);
  auto ret = at::relu(agg + z.through(skip_));
  if (norm_) ret = (*norm_)(ret);
  return {ret, {}};
}

at::Tensor Attention::attend(const NodeFeatures& z, const Features& features) const {
  return ops::goes_fused(z.values) ? fused_attention(z, features) : composed_attention(z, features);
}

at::Tensor Attention::fused_attention(const NodeFeatures& z, const Features& features) const {
  auto arguments = terms(z, features);
  arguments.heads = heads_;
  arguments.values = features.edge.values;
  arguments.messages = z.through(m_);
  arguments.value_gradients = features.edge.value_gradients;
  const auto adjacency = used_adjacency(adjacency_, features.adjacency);
  if (adjacency.defined()) arguments.neighbours = ops::list_attended(adjacency);
  return ops::fused_attention(arguments);
}

at::Tensor Attention::composed_attention(const NodeFeatures& z, const Features& features) const {
  const auto batch = z.values.size(0), nodes = z.values.size(1), width = m_.bias.size(0);
  const auto values = z.through(m_).view({batch, nodes, heads_, width / heads_}).transpose(1, 2);
  auto scores = logits(z, features);  // [B, K, N, N]
  const auto adjacency = used_adjacency(adjacency_, features.adjacency);
  if (adjacency.defined()) {
    scores =
        scores - adjacency.logical_not().unsqueeze(1).to(scores.scalar_type()) * kernels::kExcluded;
  }
  return at::matmul(at::softmax(scores, -1), values)  // [B, K, N, H/K]
      .transpose(1, 2)
      .reshape({batch, nodes, width});
}

ops::ParameterSpecs Gat::parameters(const ProcessorOptions& options, std::int64_t hidden) {
  auto specs = shared_parameters(options, hidden);
  ops::add_linear(specs, "processor/a1", 2 * hidden, options.heads);
  ops::add_linear(specs, "processor/a2", 2 * hidden, options.heads);
  ops::add_linear(specs, "processor/ae", hidden, options.heads);
  ops::add_linear(specs, "processor/ag", hidden, options.heads);
  return specs;
}

Gat::Gat(const ProcessorOptions& options, const ops::ParameterStore& store)
    : Attention(options, store),
      a1_(store, "processor/a1"),
      a2_(store, "processor/a2"),
      ae_(store, "processor/ae"),
      ag_(store, "processor/ag") {}

at::Tensor Gat::logits(const NodeFeatures& z, const Features& features) const {
  const auto sum = z.through(a1_).unsqueeze(2) + z.through(a2_).unsqueeze(1) +
                   features.edge.fold(ae_) +
                   ag_(features.graph).unsqueeze(1).unsqueeze(1);  // [B, N, N, K]
  return at::leaky_relu(sum, kernels::kLeak).permute({0, 3, 1, 2});
}

ops::AttentionArguments Gat::terms(const NodeFeatures& z, const Features& features) const {
  const auto [rows, offset] = features.edge.folded(ae_);
  return {.own = z.through(a1_) + (ag_(features.graph) + offset).unsqueeze(1),
          .other = z.through(a2_),
          .values = {},
          .rows = rows,
          .messages = {}};
}

ops::ParameterSpecs Gatv2::parameters(const ProcessorOptions& options, std::int64_t hidden) {
  auto specs = shared_parameters(options, hidden);
  ops::add_linear(specs, "processor/w1", 2 * hidden, hidden);
  ops::add_linear(specs, "processor/w2", 2 * hidden, hidden);
  ops::add_linear(specs, "processor/we", hidden, hidden);
  ops::add_linear(specs, "processor/wg", hidden, hidden);
  for (std::int64_t k = 0; k < options.heads; ++k) {
    ops::add_linear(specs, "processor/ah" + std::to_string(k), hidden / options.heads, 1);
  }
  return specs;
}

Gatv2::Gatv2(const ProcessorOptions& options, const ops::ParameterStore& store)
    : Attention(options, store),
      w1_(store, "processor/w1"),
      w2_(store, "processor/w2"),
      we_(store, "processor/we"),
      wg_(store, "processor/wg") {
  for (std::int64_t k = 0; k < heads_; ++k) {
    ah_.emplace_back(store, "processor/ah" + std::to_string(k));
  }
}

at::Tensor Gatv2::logits(const NodeFeatures& z, const Features& features) const {
  const auto sum = z.through(w1_).unsqueeze(1) + z.through(w2_).unsqueeze(2) +
                   features.edge.fold(we_) +
                   wg_(features.graph).unsqueeze(1).unsqueeze(1);  // [B, N, N, H]
  std::vector<at::Tensor> heads;
  const auto parts = at::leaky_relu(sum, kernels::kLeak).chunk(heads_, -1);
  for (std::int64_t k = 0; k < heads_; ++k) heads.push_back(ah_[k](parts[k]).squeeze(-1));
  return at::stack(heads, 1);  // [B, K, N, N]
}

ops::AttentionArguments Gatv2::terms(const NodeFeatures& z, const Features& features) const {
  const auto [rows, offset] = features.edge.folded(we_);
  std::vector<at::Tensor> combine;  // what ah's biases add is the same for all senders: no change
  for (const auto& head : ah_) combine.push_back(head.weight.squeeze(-1));
  return {.own = z.through(w2_) + (wg_(features.graph) + offset).unsqueeze(1),
          .other = z.through(w1_),
          .values = {},
          .rows = rows,
          .messages = {},
          .combine = at::cat(combine)};
}

}  // namespace npq::nn
