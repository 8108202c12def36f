#include "npq/memory/rivals/neural_stack.h"

namespace npq::memory {

NeuralStack::NeuralStack(End end, const MemoryOptions& options, std::int64_t z_width,
                         std::int64_t message_width)
    : end_(end),
      options_(options),
      z_width_(z_width),
      message_width_(message_width),
      width_(options.width_for(z_width)) {}

ops::ParameterSpecs NeuralStack::parameter_specs() const {
  ops::ParameterSpecs specs;
  declare_controls(specs, "", z_width_, width_);
  ops::add_linear(specs, "memory/m", width_, message_width_);
  return specs;
}

MemoryState NeuralStack::initial_state(const MemoryBatch& batch) const {
  return empty_strips(options_, width_, batch);
}

MemoryStep NeuralStack::step(const ops::ParameterStore& parameters, const at::Tensor& z,
                             const MemoryState& state, Watch watch) const {
  const Strip strip = strip_of(state);
  const auto [push, pop, v] = controls(parameters, "", z, state, options_.scope);
  // The next slot to be written holds the oldest element, so it begins the order of age.
  const std::int64_t slot = state.integer("step") % strip.s.size(1);
  const auto cover = end_ == End::Newest ? above(strip.s, slot) : below(strip.s, slot);

  const auto popped = pop_strip(strip.s, pop, cover);
  const auto [read, next] =
      read_and_push({strip.v, popped}, {uncovered_unit(strip.s, cover)}, {{slot, v, push}});
  MemoryStep result;
  result.messages = ops::linear(parameters, "memory/m", for_each_node(read, z));
  result.next_state = with_strip(state, next);
  if (watch != Watch::Nothing) result.health = strip_health(state, result.next_state, popped, v);
  if (watch == Watch::Everything) result.seen = {{"push", push}, {"pop", pop}, {"pushed_value", v}};
  return result;
}

}  // namespace npq::memory
