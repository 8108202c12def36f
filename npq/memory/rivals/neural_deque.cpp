#include "npq/memory/rivals/neural_deque.h"

#include <ATen/ops/cat.h>

namespace npq::memory {
namespace {

std::int64_t modulo(std::int64_t a, std::int64_t n) { return (a % n + n) % n; }

}  // namespace

NeuralDeque::NeuralDeque(const MemoryOptions& options, std::int64_t z_width,
                         std::int64_t message_width)
    : options_(options),
      z_width_(z_width),
      message_width_(message_width),
      width_(options.width_for(z_width)) {}

ops::ParameterSpecs NeuralDeque::parameter_specs() const {
  ops::ParameterSpecs specs;
  declare_controls(specs, "bottom_", z_width_, width_);
  declare_controls(specs, "top_", z_width_, width_);
  ops::add_linear(specs, "memory/m", 2 * width_, message_width_);
  return specs;
}

MemoryState NeuralDeque::initial_state(const MemoryBatch& batch) const {
  return empty_strips(options_, width_, batch);
}

MemoryStep NeuralDeque::step(const ops::ParameterStore& parameters, const at::Tensor& z,
                             const MemoryState& state, Watch watch) const {
  const Strip strip = strip_of(state);
  const auto bottom = controls(parameters, "bottom_", z, state, options_.scope);
  const auto top = controls(parameters, "top_", z, state, options_.scope);

  const auto below_each = below(strip.s), above_each = above(strip.s);
  const auto after_top = pop_strip(strip.s, top.pop, above_each);
  const auto popped = pop_strip(after_top, bottom.pop, below(after_top));

  const std::int64_t slots = strip.s.size(1), step = state.integer("step");
  const auto [both, next] = read_and_push(
      {strip.v, popped}, {uncovered_unit(strip.s, below_each), uncovered_unit(strip.s, above_each)},
      {{modulo(slots / 2 - 1 - step, slots), bottom.v, bottom.push},
       {modulo(slots / 2 + step, slots), top.v, top.push}});

  MemoryStep result;
  result.messages = ops::linear(parameters, "memory/m", for_each_node(both, z));
  result.next_state = with_strip(state, next);
  if (watch != Watch::Nothing)
    result.health = strip_health(state, result.next_state, popped, at::cat({bottom.v, top.v}, -1));
  if (watch == Watch::Everything)
    result.seen = {{"bottom_push", bottom.push},
                   {"bottom_pop", bottom.pop},
                   {"top_push", top.push},
                   {"top_pop", top.pop}};
  return result;
}

}  // namespace npq::memory
