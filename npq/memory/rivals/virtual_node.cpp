#include "npq/memory/rivals/virtual_node.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros.h>

#include "npq/memory/nodes.h"

namespace npq::memory {

VirtualNode::VirtualNode(const MemoryOptions& options, std::int64_t z_width,
                         std::int64_t message_width)
    : z_width_(z_width), message_width_(message_width), width_(options.width_for(z_width)) {}

ops::ParameterSpecs VirtualNode::parameter_specs() const {
  ops::ParameterSpecs specs;
  ops::add_linear(specs, "memory/node", z_width_, width_);
  ops::add_linear(specs, "memory/mix", 2 * width_, width_);
  ops::add_linear(specs, "memory/out", width_, width_);
  ops::add_linear(specs, "memory/m", width_, message_width_);
  return specs;
}

MemoryState VirtualNode::initial_state(const MemoryBatch& batch) const {
  MemoryState state;
  state.tensors = {{"g", at::zeros({batch.batch, width_}, batch.dtype)}};
  remember_nodes(state, batch);
  return state;
}

MemoryStep VirtualNode::step(const ops::ParameterStore& parameters, const at::Tensor& z,
                             const MemoryState& state, Watch) const {
  const auto& g = state.tensor("g");
  const auto heard = pooled_linear(parameters, "memory/node", z, state, Pool::Mean);
  const auto mixed = ops::linear(parameters, "memory/mix", at::cat({g, heard}, -1)).relu();

  MemoryStep result;
  result.messages =
      ops::linear(parameters, "memory/m", g).unsqueeze(1).expand({z.size(0), z.size(1), -1});
  result.next_state = state;
  result.next_state.set("g", g + ops::linear(parameters, "memory/out", mixed));
  return result;
}

}  // namespace npq::memory
