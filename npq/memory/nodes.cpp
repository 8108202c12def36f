#include "npq/memory/nodes.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>

#include "npq/base/error.h"
#include "npq/kernels/constants.h"
#include "npq/memory/slots.h"

namespace npq::memory {

void remember_nodes(MemoryState& state, const MemoryBatch& batch) {
  if (!batch.node_mask.defined()) return;
  const auto& sizes = batch.node_mask.sizes();
  if (sizes.size() != 2 || sizes[0] != batch.batch || sizes[1] != batch.nodes)
    throw Error("the node mask has {} numbers, expected [{}, {}]: one per graph and node",
                batch.node_mask.numel(), batch.batch, batch.nodes);
  state.tensors.emplace_back("nodes", batch.node_mask.to(batch.dtype).unsqueeze(-1));
}

at::Tensor real_nodes(const MemoryState& state) {
  return state.has("nodes") ? state.tensor("nodes") : at::Tensor();
}

at::Tensor without_padding(const at::Tensor& x, const MemoryState& state) {
  const auto real = real_nodes(state);
  return real.defined() ? x * real : x;
}

at::Tensor node_count(const at::Tensor& z, const MemoryState& state, std::int64_t axes) {
  const auto real = real_nodes(state);
  auto count = real.defined() ? real.sum({1, 2})
                              : at::full({z.size(0)}, static_cast<double>(z.size(1)), z.options());
  while (count.dim() < axes) count = count.unsqueeze(-1);
  return count;
}

namespace {

/// softmax over nodes of a layer of their own, [B, N, 1]; 0 for padding.
at::Tensor node_weights(const ops::ParameterStore& parameters, const at::Tensor& z,
                        const MemoryState& state) {
  const auto logits = ops::linear(parameters, "memory/push", z).squeeze(-1);
  const auto real = real_nodes(state);
  const auto weights =
      real.defined() ? masked_softmax(logits, real.squeeze(-1).gt(0)) : logits.softmax(-1);
  return weights.unsqueeze(-1);
}

/// Per number the largest of all nodes.
at::Tensor largest(const at::Tensor& x, const MemoryState& state) {
  const auto real = real_nodes(state);
  return (real.defined() ? x.masked_fill(real.eq(0), -kernels::kExcluded) : x).amax(1);
}

}  // namespace

at::Tensor pooled_linear(const ops::ParameterStore& parameters, const std::string& name,
                         const at::Tensor& z, const MemoryState& state, Pool pool) {
  const auto& weight = parameters.at(name + ".w");
  const auto& bias = parameters.at(name + ".b");
  if (pool == Pool::Max) return largest(ops::linear(parameters, name, z), state);
  if (pool == Pool::Softmax)
    return (node_weights(parameters, z, state) * z).sum(1).matmul(weight) + bias;
  const auto sum = without_padding(z, state).sum(1);  // [B, Z]
  const auto count = node_count(z, state, 2);         // [B, 1]
  if (pool == Pool::Sum) return sum.matmul(weight) + count * bias;
  return (sum / count).matmul(weight) + bias;
}

at::Tensor saturated_share(const at::Tensor& x) {
  return x.detach().abs().gt(0.999).to(at::kDouble).flatten(1).mean(1);
}

}  // namespace npq::memory
