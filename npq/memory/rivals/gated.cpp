#include "npq/memory/rivals/gated.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros.h>

namespace npq::memory {

GatedMemory::GatedMemory(const MemoryOptions& options, std::int64_t z_width,
                         std::int64_t message_width)
    : z_width_(z_width), message_width_(message_width), width_(options.width_for(z_width)) {}

MemoryState GatedMemory::initial_state(const MemoryBatch& batch) const {
  MemoryState state;
  const auto empty = at::zeros({batch.batch, batch.nodes, width_}, batch.dtype);
  state.tensors = {{"h", empty}};
  if (has_cell()) state.tensors.emplace_back("c", empty);
  return state;
}

MemoryStep GatedMemory::step(const ops::ParameterStore& parameters, const at::Tensor& z,
                             const MemoryState& state, Watch watch) const {
  MemoryStep result;
  result.messages = ops::linear(parameters, "memory/m", state.tensor("h"));
  result.next_state = update(parameters, z, state);
  if (watch != Watch::Nothing)
    result.health.saturated = saturated_share(result.next_state.tensor("h"));
  return result;
}

ops::ParameterSpecs Lstm::parameter_specs() const {
  ops::ParameterSpecs specs;
  ops::add_linear(specs, "memory/gates", z_width_ + width_, 4 * width_);
  ops::add_linear(specs, "memory/m", width_, message_width_);
  return specs;
}

MemoryState Lstm::update(const ops::ParameterStore& parameters, const at::Tensor& z,
                         const MemoryState& state) const {
  const auto gates =
      ops::linear(parameters, "memory/gates", at::cat({z, state.tensor("h")}, -1)).chunk(4, -1);
  const auto &i = gates[0], &g = gates[1], &f = gates[2], &o = gates[3];
  const auto c = (f + 1).sigmoid() * state.tensor("c") + i.sigmoid() * g.tanh();
  MemoryState next = state;
  next.set("h", o.sigmoid() * c.tanh());
  next.set("c", c);
  return next;
}

ops::ParameterSpecs Gru::parameter_specs() const {
  ops::ParameterSpecs specs;
  ops::add_linear(specs, "memory/input", z_width_, 3 * width_);
  ops::add_linear(specs, "memory/hidden", width_, 3 * width_);
  ops::add_linear(specs, "memory/m", width_, message_width_);
  return specs;
}

MemoryState Gru::update(const ops::ParameterStore& parameters, const at::Tensor& z,
                        const MemoryState& state) const {
  const auto& h = state.tensor("h");
  const auto from_z =
      ops::linear(parameters, "memory/input", z).chunk(3, -1);  // reset, update, new
  const auto from_h = ops::linear(parameters, "memory/hidden", h).chunk(3, -1);
  const auto reset = (from_z[0] + from_h[0]).sigmoid();
  const auto keep = (from_z[1] + from_h[1]).sigmoid();
  const auto fresh = (from_z[2] + reset * from_h[2]).tanh();
  MemoryState next = state;
  next.set("h", (1 - keep) * fresh + keep * h);
  return next;
}

}  // namespace npq::memory
