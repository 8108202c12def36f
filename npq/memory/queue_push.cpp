#include "npq/memory/queue_push.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <array>

#include "npq/kernels/constants.h"
#include "npq/memory/nodes.h"
#include "npq/memory/priority_queue.h"
#include "npq/memory/slots.h"
#include "npq/ops/queue/queue_op.h"

namespace npq::memory {
namespace {

using Q = PriorityQueueOptions;

/// What the choice of a slot looks at.
struct Slots {
  at::Tensor alive;    // [B, S]
  at::Tensor s;        // [B, S]; undefined with Pop::Keep
  at::Tensor written;  // [B, S]
};

/// The slot a full queue writes to.
at::Tensor crowded_slot(const Q& options, const Slots& slots) {
  if (options.pop == Q::Pop::Keep) return first_argmin(slots.written);
  switch (options.full_queue) {
    case Q::FullQueue::Weakest:
      return first_argmin(slots.s);
    case Q::FullQueue::Oldest:
      return first_argmin(slots.written);
    case Q::FullQueue::Add:
      break;
  }
  return at::full({slots.s.size(0)}, 0, slots.written.options());  // the published code: slot 0
}

/// The lowest free slot, [B].
at::Tensor next_slot(const Q& options, const Slots& slots) {
  const auto free = first_true(slots.alive.logical_not());
  return at::where(free.lt(slots.alive.size(1)), free, crowded_slot(options, slots));
}

at::Tensor chosen_slot(const Q& options, const Slots& slots, const MemoryState& state) {
  switch (options.write_slot) {
    case Q::WriteSlot::AfterDeletion:
      break;
    case Q::WriteSlot::PreviousStep:  // D11
      return state.tensor("write_slot");
    case Q::WriteSlot::Rotate:
      return at::full({slots.alive.size(0)}, state.integer("step") % slots.alive.size(1),
                      slots.written.options());
  }
  return next_slot(options, slots);
}

/// What is left of every slot; a slot below the threshold is free and exactly 0.     [eq. 25-27]
Slots delete_popped(const Q& options, const MemoryState& state, const at::Tensor& drained) {
  const auto& written = state.tensor("written");
  if (options.pop == Q::Pop::Keep) return {written.ge(0), {}, written};
  const auto left = state.tensor("s") - drained;
  const auto alive = left.ge(kernels::kLeastStrength);
  return {alive, at::where(alive, left, at::zeros_like(left)),
          written.masked_fill(alive.logical_not(), -1)};
}

/// v_new and s_new.                                                                  [eq. 28-29]
Pushed new_element(const Q& options, const ops::ParameterStore& parameters, const at::Tensor& z,
                   const MemoryState& state) {
  Pushed pushed;
  pushed.value = pooled_linear(parameters, "memory/v", z, state, options.push_pool).tanh();
  if (options.pop == Q::Pop::Consume)
    pushed.strength =
        pooled_linear(parameters, "memory/s_push", z, state, options.push_pool).sigmoid();
  return pushed;
}

}  // namespace

Pushed fused_push(const PriorityQueueOptions& options, const ops::ParameterStore& parameters,
                  const at::Tensor& z, const at::Tensor& total, const MemoryState& state) {
  auto pushed = new_element(options, parameters, z, state);
  ops::QueuePushArguments arguments;
  arguments.choices = {.step = state.integer("step"),
                       .pop = options.pop,
                       .slot_write = options.slot_write,
                       .full_queue = options.full_queue,
                       .write_slot = options.write_slot};
  const std::array weights = {parameters.at("memory/m.w"), parameters.at("memory/a2.w")};
  arguments.rows = {state.tensor("v")};
  arguments.new_rows = {pushed.value};
  for (const auto& weight : weights) {
    arguments.rows.push_back(state.product(weight));
    arguments.new_rows.push_back(pushed.value.matmul(weight));
  }
  arguments.written = state.tensor("written");
  if (options.pop == Q::Pop::Consume) {
    arguments.s = state.tensor("s");
    arguments.total = total;
    arguments.new_s = pushed.strength;
    pushed.drained = at::minimum(total.detach(), arguments.s.detach());
  }
  if (options.write_slot == Q::WriteSlot::PreviousStep)
    arguments.write_slot = state.tensor("write_slot");
  const auto next = ops::fused_push(arguments);
  pushed.next_state = state;
  pushed.next_state.set("v", next.rows[0]);
  if (next.s.defined()) pushed.next_state.set("s", next.s);
  pushed.next_state.set("written", next.written);
  pushed.next_state.set("step", arguments.choices.step + 1);
  if (next.write_slot.defined()) pushed.next_state.set("write_slot", next.write_slot);
  for (std::size_t k = 0; k < weights.size(); ++k)
    pushed.next_state.products.push_back({weights[k], weights[k]._version(), next.rows[k + 1]});
  return pushed;
}

Pushed push(const PriorityQueueOptions& options, const ops::ParameterStore& parameters,
            const at::Tensor& z, const at::Tensor& total, const MemoryState& state) {
  const bool consume = options.pop == Q::Pop::Consume;
  const bool add_to_reused = options.slot_write == Q::SlotWrite::Add;  // D4
  const bool add_to_full = options.full_queue == Q::FullQueue::Add;    // D6

  auto pushed = new_element(options, parameters, z, state);
  if (consume) pushed.drained = at::minimum(total, state.tensor("s"));
  const Slots slots = delete_popped(options, state, pushed.drained);

  // Which slot receives the element, and whether it still holds another one.
  auto target = marks(chosen_slot(options, slots, state), slots.alive.size(1));   // [B, S]
  const auto crowded = target.logical_and(slots.alive).any(1, /*keepdim=*/true);  // [B, 1]
  if (consume && !add_to_reused)
    target = target.logical_and(pushed.strength.ge(kernels::kLeastStrength));
  const auto onto_old = add_to_full ? crowded : at::zeros_like(crowded);

  // Nothing in place: earlier steps still need these tensors for their gradients.
  auto v = state.tensor("v");
  if (add_to_reused) {
    v = v + target.unsqueeze(-1).to(v.scalar_type()) * pushed.value.unsqueeze(1);
  } else {
    if (consume) v = v.masked_fill(slots.alive.logical_not().unsqueeze(-1), 0);
    v = v.masked_fill(target.logical_and(onto_old.logical_not()).unsqueeze(-1), 0) +
        target.unsqueeze(-1).to(v.scalar_type()) * pushed.value.unsqueeze(1);
  }

  const std::int64_t step = state.integer("step");
  Slots next{{}, {}, slots.written.masked_fill(target, step)};
  if (consume) {
    next.s = slots.s.masked_fill(target.logical_and(onto_old.logical_not()), 0) +
             target.to(v.scalar_type()) * pushed.strength;
    next.alive = next.s.ge(kernels::kLeastStrength);
  } else {
    next.alive = next.written.ge(0);
  }

  pushed.next_state = state;
  pushed.next_state.set("v", v);
  if (consume) pushed.next_state.set("s", next.s);
  pushed.next_state.set("written", next.written);
  pushed.next_state.set("step", step + 1);
  if (options.write_slot == Q::WriteSlot::PreviousStep)
    pushed.next_state.set("write_slot", next_slot(options, next));
  return pushed;
}

}  // namespace npq::memory
