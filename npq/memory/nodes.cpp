#include "npq/memory/nodes.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>

#include "npq/base/error.h"

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

at::Tensor pooled_linear(const ops::ParameterStore& parameters, const std::string& name,
                         const at::Tensor& z, const MemoryState& state, Pool pool) {
  const auto& weight = parameters.at(name + ".w");
  const auto& bias = parameters.at(name + ".b");
  const auto sum = without_padding(z, state).sum(1);  // [B, Z]
  const auto count = node_count(z, state, 2);         // [B, 1]
  if (pool == Pool::Sum) return sum.matmul(weight) + count * bias;
  return (sum / count).matmul(weight) + bias;
}

at::Tensor saturated_share(const at::Tensor& x) {
  return x.detach().abs().gt(0.999).to(at::kDouble).flatten(1).mean(1);
}

}  // namespace npq::memory
