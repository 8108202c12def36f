#include "npq/memory/oracle.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include "npq/base/error.h"
#include "npq/memory/slots.h"

namespace npq::memory {

Oracle::Oracle(const MemoryOptions& options, std::int64_t z_width, std::int64_t message_width)
    : z_width_(z_width), message_width_(message_width), width_(options.width_for(z_width)) {}

ops::ParameterSpecs Oracle::parameter_specs() const {
  ops::ParameterSpecs specs;
  ops::add_linear(specs, "memory/o", width_, message_width_);
  ops::add_linear(specs, "memory/q", z_width_, width_);
  ops::add_linear(specs, "memory/p", width_, width_);
  return specs;
}

MemoryState Oracle::initial_state(const MemoryBatch& batch) const {
  if (!batch.schedule_order.defined() || !batch.schedule_children.defined())
    throw Error(
        "memory 'oracle' needs Dijkstra's schedule with every batch, and this batch has none; use "
        "it with --algorithm dijkstra");
  MemoryState state;
  state.tensors = {{"order", batch.schedule_order.to(at::kLong)},
                   {"children", batch.schedule_children.to(batch.dtype)},
                   {"store", at::zeros({batch.batch, batch.nodes, width_}, batch.dtype)}};
  state.integers = {{"step", 0}};
  return state;
}

MemoryStep Oracle::step(const ops::ParameterStore& parameters, const at::Tensor& z,
                        const MemoryState& state, Watch watch) const {
  const auto& order = state.tensor("order");
  const auto& store = state.tensor("store");
  const std::int64_t t = state.integer("step");
  // Steps behind the schedule's end count for nothing. They start it again, as the golden networks
  // do, whose step counter is a one-hot row that rotates.
  const auto u = order.select(1, t % order.size(1));                        // [B]
  const auto taken = marks(u, z.size(1)).to(z.scalar_type()).unsqueeze(1);  // [B, 1, N]

  MemoryStep result;
  const auto read = ops::linear(parameters, "memory/o", taken.matmul(store));  // [B, 1, Mw]
  result.messages = taken.transpose(1, 2) * read;

  const auto written = ops::linear(parameters, "memory/p", store) +
                       ops::linear(parameters, "memory/q", taken.matmul(z));          // [B, N, F]
  const auto changed = taken.matmul(state.tensor("children")).transpose(1, 2).gt(0);  // [B, N, 1]
  result.next_state = state;
  result.next_state.set("store", at::where(changed, written, store));
  result.next_state.set("step", t + 1);
  if (watch == Watch::Everything)
    result.seen = {{"taken", taken.squeeze(1)}, {"changed", changed.squeeze(-1)}};
  return result;
}

}  // namespace npq::memory
