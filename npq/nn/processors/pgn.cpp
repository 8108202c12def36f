#include "npq/nn/processors/pgn.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>

#include "npq/ops/message_op.h"
#include "npq/ops/path.h"

namespace npq::nn {
ops::ParameterSpecs Pgn::parameters(const ProcessorOptions& options, std::int64_t hidden) {
  const auto& kind = options.kind();
  ops::ParameterSpecs specs;
  for (const auto* name : {"m1", "m2"}) {
    ops::add_linear(specs, std::string("processor/") + name, 2 * hidden, hidden);
  }
  ops::add_linear(specs, "processor/me", hidden, hidden);
  ops::add_linear(specs, "processor/mg", hidden, hidden);
  ops::add_linear(specs, "processor/o1", 2 * hidden, hidden);
  ops::add_linear(specs, "processor/o2", hidden, hidden);
  if (kind.triplets) Triplets::add_parameters(specs, hidden, options.triplet_fts);
  if (kind.gated) {
    ops::add_linear(specs, "processor/g1", 2 * hidden, hidden);
    ops::add_linear(specs, "processor/g2", hidden, hidden);
    ops::add_linear(specs, "processor/g3", hidden, hidden,
                    -3);  // at first a gate keeps 95% of the old state
  }
  ops::add_linear(specs, "processor/mlp0", hidden, hidden);
  ops::add_linear(specs, "processor/mlp1", hidden, hidden);
  if (options.layer_norm) ops::add_layer_norm(specs, "processor/ln", hidden);
  return specs;
}

Pgn::Pgn(const ProcessorOptions& options, const ops::ParameterStore& store)
    : adjacency_(options.kind().adjacency),
      m1_(store, "processor/m1"),
      m2_(store, "processor/m2"),
      me_(store, "processor/me"),
      mg_(store, "processor/mg"),
      mlp0_(store, "processor/mlp0"),
      mlp1_(store, "processor/mlp1"),
      o1_(store, "processor/o1"),
      o2_(store, "processor/o2") {
  if (options.layer_norm) norm_.emplace(store, "processor/ln");
  if (options.kind().gated) {
    gate_ = Gate{{store, "processor/g1"}, {store, "processor/g2"}, {store, "processor/g3"}};
  }
  if (options.kind().triplets) triplets_.emplace(store);
}

Processed Pgn::process(const Features& features, const at::Tensor& hidden,
                       const std::optional<MemoryMessages>& memory) const {
  const auto z = features.node.beside({hidden});
  const auto products = z.through({&m1_, &m2_, &o1_});
  const auto agg = messages(products[0], products[1], features, memory);
  auto ret = at::relu(products[2] + o2_(agg));
  if (norm_) ret = (*norm_)(ret);
  if (gate_) {
    const auto open = gate(z, agg);
    ret = ret * open + hidden * (1 - open);
  }
  return {ret, triplets_ ? (*triplets_)(z, features) : at::Tensor()};
}

at::Tensor Pgn::messages(const at::Tensor& to, const at::Tensor& from, const Features& features,
                         const std::optional<MemoryMessages>& memory) const {
  return ops::goes_fused(to) ? fused_messages(to, from, features, memory)
                             : composed_messages(to, from, features, memory);
}

at::Tensor Pgn::composed_messages(const at::Tensor& to, const at::Tensor& from,
                                  const Features& features,
                                  const std::optional<MemoryMessages>& memory) const {
  const auto messages = message_mlp(to.unsqueeze(1) + from.unsqueeze(2) + features.edge.fold(me_) +
                                    mg_(features.graph).unsqueeze(1).unsqueeze(1));  // [B, N, N, H]
  const auto adjacency = used_adjacency(adjacency_, features.adjacency);
  const auto heard =
      adjacency.defined()
          ? messages.masked_fill(adjacency.logical_not().unsqueeze(-1), kernels::kNoMessage)
          : messages;
  const auto agg = heard.amax(1);
  return memory ? with_memory(agg, *memory) : agg;
}

at::Tensor Pgn::fused_messages(const at::Tensor& to, const at::Tensor& from,
                               const Features& features,
                               const std::optional<MemoryMessages>& memory) const {
  const auto [rows, offset] = features.edge.folded(me_);
  ops::MessageArguments arguments{.recv = to + (mg_(features.graph) + offset).unsqueeze(1),
                                  .send = from,
                                  .values = features.edge.values,
                                  .rows = rows,
                                  .w0 = mlp0_.weight,
                                  .b0 = mlp0_.bias,
                                  .w1 = mlp1_.weight,
                                  .b1 = mlp1_.bias,
                                  .value_gradients = features.edge.value_gradients};
  if (adjacency_ == AdjacencyUse::Identity) arguments.senders = kernels::Senders::Self;
  if (adjacency_ == AdjacencyUse::Given) {
    arguments.senders = kernels::Senders::Listed;
    arguments.neighbours = ops::list_senders(features.adjacency);
  }
  const bool before = memory && memory->join == kernels::Join::PreMlp;
  if (before) {
    arguments.memory = memory->rows;
    arguments.delivery = memory->delivery;
  }
  const auto agg = ops::fused_messages(arguments);
  return memory && !before ? with_memory(agg, *memory) : agg;
}

at::Tensor Pgn::message_mlp(const at::Tensor& messages) const {
  return mlp1_(at::relu(mlp0_(at::relu(messages))));
}

at::Tensor Pgn::with_memory(const at::Tensor& agg, const MemoryMessages& memory) const {
  // One more sender (or N more) under the same maximum. The MLP acts on each row alone, so a row
  // that all receivers share goes through it once.
  const auto rows = memory.join == kernels::Join::PreMlp ? message_mlp(memory.rows) : memory.rows;
  return at::maximum(
      agg, memory.delivery == kernels::Delivery::All ? rows.amax(1, /*keepdim=*/true) : rows);
}

at::Tensor Pgn::gate(const NodeFeatures& z, const at::Tensor& agg) const {
  return at::sigmoid(gate_->g3(at::relu(z.through(gate_->g1) + gate_->g2(agg))));
}

}  // namespace npq::nn
