#include "npq/memory/rivals/controls.h"

#include "npq/memory/nodes.h"

namespace npq::memory {
namespace {

/// Nothing but which rows are nodes.
MemoryState no_state(const MemoryBatch& batch) {
  MemoryState state;
  remember_nodes(state, batch);
  return state;
}

/// A message per graph, [B, Mw], to each of its nodes.
MemoryStep to_all(const at::Tensor& message, const at::Tensor& z, const MemoryState& state) {
  MemoryStep result;
  result.messages = message.unsqueeze(1).expand({z.size(0), z.size(1), -1});
  result.next_state = state;
  return result;
}

}  // namespace

Constant::Constant(const MemoryOptions&, std::int64_t, std::int64_t message_width)
    : message_width_(message_width) {}

ops::ParameterSpecs Constant::parameter_specs() const {
  return {{"memory/m.b", {message_width_}, ops::ParameterSpec::Init::Constant, 0}};
}

MemoryState Constant::initial_state(const MemoryBatch& batch) const { return no_state(batch); }

MemoryStep Constant::step(const ops::ParameterStore& parameters, const at::Tensor& z,
                          const MemoryState& state, Watch) const {
  return to_all(parameters.at("memory/m.b").unsqueeze(0), z, state);
}

GlobalMean::GlobalMean(const MemoryOptions& options, std::int64_t z_width,
                       std::int64_t message_width)
    : pool_(options.message_pool), z_width_(z_width), message_width_(message_width) {}

ops::ParameterSpecs GlobalMean::parameter_specs() const {
  ops::ParameterSpecs specs;
  ops::add_linear(specs, "memory/m", z_width_, message_width_);
  return specs;
}

MemoryState GlobalMean::initial_state(const MemoryBatch& batch) const { return no_state(batch); }

MemoryStep GlobalMean::step(const ops::ParameterStore& parameters, const at::Tensor& z,
                            const MemoryState& state, Watch) const {
  return to_all(pooled_linear(parameters, "memory/m", z, state, pool_), z, state);
}

}  // namespace npq::memory
