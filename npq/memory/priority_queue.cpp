#include "npq/memory/priority_queue.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include "npq/kernels/constants.h"
#include "npq/memory/nodes.h"
#include "npq/memory/queue_pop.h"
#include "npq/memory/queue_push.h"
#include "npq/ops/path.h"

namespace npq::memory {
namespace {

using Q = PriorityQueueOptions;

MemoryHealth health_of(const MemoryState& before, const Pushed& pushed) {
  MemoryHealth health;
  health.alive = PriorityQueue::occupied(pushed.next_state).sum(1).to(at::kDouble);
  health.saturated = saturated_share(pushed.value);
  if (pushed.drained.defined()) {
    health.strength = pushed.next_state.tensor("s").detach().sum(1).to(at::kDouble);
    health.drained =
        (pushed.drained.detach().sum(1) / before.tensor("s").detach().sum(1)).to(at::kDouble);
  }
  return health;
}

}  // namespace

PriorityQueue::PriorityQueue(const MemoryOptions& options, std::int64_t z_width,
                             std::int64_t message_width)
    : options_(options),
      z_width_(z_width),
      message_width_(message_width),
      width_(options.width_for(z_width)) {}

ops::ParameterSpecs PriorityQueue::parameter_specs() const {
  ops::ParameterSpecs specs;
  const std::int64_t heads = options_.queue.heads;
  if (options_.queue.pop == Q::Pop::Consume) {
    ops::add_linear(specs, "memory/s_push", z_width_, 1);
    ops::add_linear(specs, "memory/s_pop", z_width_, 1);
  }
  if (options_.queue.push_pool == Pool::Softmax) ops::add_linear(specs, "memory/push", z_width_, 1);
  ops::add_linear(specs, "memory/v", z_width_, width_);
  ops::add_linear(specs, "memory/m", width_, message_width_);
  if (options_.queue.normed_message) ops::add_layer_norm(specs, "memory/norm", message_width_);
  ops::add_linear(specs, "memory/a1", z_width_, heads);
  ops::add_linear(specs, "memory/a2", width_, heads);
  const bool alone = heads == 1 && options_.queue.single_head_skip;
  if (!alone && options_.queue.attention == Q::Attention::Paper)
    ops::add_linear(specs, "memory/a", heads, 1);
  return specs;
}

MemoryState PriorityQueue::initial_state(const MemoryBatch& batch) const {
  const std::int64_t slots = options_.slots_for(batch.steps);
  MemoryState state;
  state.tensors = {{"v", at::zeros({batch.batch, slots, width_}, batch.dtype)}};
  if (options_.queue.pop == Q::Pop::Consume)
    state.tensors.emplace_back("s", at::zeros({batch.batch, slots}, batch.dtype));
  state.tensors.emplace_back("written", at::full({batch.batch, slots}, -1, at::kLong));
  if (options_.queue.write_slot == Q::WriteSlot::PreviousStep)
    state.tensors.emplace_back("write_slot", at::zeros({batch.batch}, at::kLong));
  state.integers = {{"step", 0}};
  remember_nodes(state, batch);
  return state;
}

at::Tensor PriorityQueue::occupied(const MemoryState& state) {
  return state.has("s") ? state.tensor("s").ge(kernels::kLeastStrength)
                        : state.tensor("written").ge(0);
}

MemoryStep PriorityQueue::step(const ops::ParameterStore& parameters, const at::Tensor& z,
                               const MemoryState& state, Watch watch) const {
  const auto& q = options_.queue;
  // Who got what of which slot is known to the composed path alone.
  const bool fused = ops::goes_fused(z) && watch != Watch::Everything;
  // The kernel knows the paper's attention alone; pushing is the same for both.
  const bool kernel_pops = fused && q.attention == Q::Attention::Paper;
  const auto popped =
      kernel_pops ? fused_pop(q, parameters, z, state) : pop(q, parameters, z, state);
  const auto pushed = fused ? fused_push(q, parameters, z, popped.total, state)
                            : push(q, parameters, z, popped.total, state);

  MemoryStep result;
  result.messages =
      q.normed_message ? ops::LayerNorm(parameters, "memory/norm")(popped.message) : popped.message;
  result.delivery = q.delivery();
  result.next_state = pushed.next_state;
  if (watch != Watch::Nothing) result.health = health_of(state, pushed);
  if (watch == Watch::Everything) {
    result.seen = {{"attention", popped.attention},
                   {"grant", popped.grant},
                   {"value", popped.value},
                   {"pushed_value", pushed.value}};
    if (popped.request.defined()) {
      result.seen.emplace_back("request", popped.request);
      result.seen.emplace_back("drained", pushed.drained);
      result.seen.emplace_back("pushed_strength", pushed.strength);
    }
  }
  return result;
}

}  // namespace npq::memory
