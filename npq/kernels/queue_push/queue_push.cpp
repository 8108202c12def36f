#include "npq/kernels/queue_push/queue_push.h"

#include <algorithm>
#include <vector>

#include "npq/base/error.h"
#include "npq/kernels/calls.h"
#include "npq/kernels/jobs.h"

namespace npq::kernels {
namespace {

using Q = QueueChoices;

/// The lowest free slot; if there is none, the one that gives way.
template <class Number>
int next_slot(const QueuePushShape& shape, const std::uint8_t* alive, const Number* s,
              const std::int64_t* written) {
  const int S = shape.slots;
  const auto free = static_cast<int>(std::find(alive, alive + S, 0) - alive);
  if (free < S) return free;
  if (shape.pop == Q::Pop::Keep || shape.full_queue == Q::FullQueue::Oldest)
    return static_cast<int>(std::min_element(written, written + S) - written);
  return shape.full_queue == Q::FullQueue::Add ? 0
                                               : static_cast<int>(std::min_element(s, s + S) - s);
}

/// One graph: pointers to its own part.
template <class Number>
void push(const QueuePushShape& shape, const QueuePushInputs<Number>& in,
          const QueuePushOutputs<Number>& out) {
  NPQ_ASSERT(in.v && in.new_v && in.written && out.v && out.written && out.alive && out.target &&
             out.onto);
  NPQ_ASSERT(shape.pop == Q::Pop::Keep || (in.s && in.total && in.new_s && out.s));
  NPQ_ASSERT(shape.write_slot != Q::WriteSlot::PreviousStep || (in.write_slot && out.write_slot));
  const int S = shape.slots, F = shape.width;
  for (int j = 0; j < S; ++j) {
    if (shape.pop == Q::Pop::Keep) {
      out.alive[j] = in.written[j] >= 0;
    } else {
      const Number left = in.s[j] - std::min(in.total[j], in.s[j]);
      out.alive[j] = left >= Number(kLeastStrength);
      out.s[j] = out.alive[j] ? left : 0;
    }
    out.written[j] = shape.pop == Q::Pop::Keep || out.alive[j] ? in.written[j] : -1;
  }

  int target = 0;
  switch (shape.write_slot) {
    case Q::WriteSlot::AfterDeletion:
      target = next_slot(shape, out.alive, out.s, out.written);
      break;
    case Q::WriteSlot::PreviousStep:
      target = static_cast<int>(*in.write_slot);
      break;
    case Q::WriteSlot::Rotate:
      target = static_cast<int>(shape.step % S);
      break;
  }
  const bool absent = shape.pop != Q::Pop::Keep && shape.slot_write != Q::SlotWrite::Add &&
                      !(*in.new_s >= Number(kLeastStrength));
  *out.target = absent ? -1 : target;
  *out.onto = shape.full_queue == Q::FullQueue::Add && out.alive[target];

  for (int j = 0; j < S; ++j) {
    const Number* from = in.v + static_cast<std::size_t>(j) * F;
    Number* to = out.v + static_cast<std::size_t>(j) * F;
    const bool hit = j == *out.target;
    const bool emptied =
        shape.slot_write != Q::SlotWrite::Add && shape.pop != Q::Pop::Keep && !out.alive[j];
    const bool replaced = hit && shape.slot_write != Q::SlotWrite::Add && !*out.onto;
    if (emptied || replaced) {
      std::fill_n(to, F, Number(0));
    } else if (to != from) {
      std::copy_n(from, F, to);
    }
    if (!hit) continue;
    for (int f = 0; f < F; ++f) to[f] += in.new_v[f];
  }
  if (*out.target >= 0) {
    out.written[target] = shape.step;
    if (shape.pop != Q::Pop::Keep) out.s[target] = (*out.onto ? out.s[target] : 0) + *in.new_s;
  }
}

}  // namespace

template <class Number>
void queue_push_forward(const QueuePushShape& shape, const QueuePushInputs<Number>& in,
                        const QueuePushOutputs<Number>& out, int threads) {
  count_call(Kernel::QueuePush);
  const std::size_t S = shape.slots, F = shape.width;
  run_jobs(threads, shape.batch, [&](int graph) {
    const std::size_t b = graph;
    const auto of = [&](auto* all, std::size_t size) { return all ? all + b * size : all; };
    const QueuePushInputs<Number> from = {of(in.v, S * F),     of(in.s, S),     of(in.total, S),
                                          of(in.new_v, F),     of(in.new_s, 1), of(in.written, S),
                                          of(in.write_slot, 1)};
    const QueuePushOutputs<Number> to = {
        of(out.v, S * F), of(out.s, S),      of(out.written, S), of(out.write_slot, 1),
        of(out.alive, S), of(out.target, 1), of(out.onto, 1)};
    push(shape, from, to);
    if (shape.write_slot != Q::WriteSlot::PreviousStep) return;
    // The next step writes where this one leaves room.
    NPQ_ASSERT(to.write_slot &&
               (shape.pop == Q::Pop::Keep ? to.written != nullptr : to.s != nullptr));
    std::vector<std::uint8_t> after(S);
    for (std::size_t j = 0; j < S; ++j)
      after[j] = shape.pop == Q::Pop::Keep ? to.written[j] >= 0 : to.s[j] >= Number(kLeastStrength);
    *to.write_slot = next_slot(shape, after.data(), to.s, to.written);
  });
}

template <class Number>
void queue_push_backward(const QueuePushShape& shape, const QueuePushOutputs<Number>& forward,
                         const Number* dv, const Number* ds, const QueuePushGradients<Number>& out,
                         int threads) {
  count_call(Kernel::QueuePushBackward);
  const std::size_t S = shape.slots, F = shape.width;
  run_jobs(threads, shape.batch, [&](int graph) {
    const std::size_t b = graph;
    const std::int32_t target = forward.target[b];
    const std::uint8_t* alive = forward.alive + b * S;
    for (std::size_t j = 0; j < S; ++j) {
      const bool hit = static_cast<std::int32_t>(j) == target;
      const bool emptied =
          shape.slot_write != Q::SlotWrite::Add && shape.pop != Q::Pop::Keep && !alive[j];
      const bool replaced = hit && shape.slot_write != Q::SlotWrite::Add && !forward.onto[b];
      const Number* g = dv + (b * S + j) * F;
      if (out.v) {
        Number* to = out.v + (b * S + j) * F;
        if (emptied || replaced)
          std::fill_n(to, F, Number(0));
        else
          std::copy_n(g, F, to);
      }
      if (hit && out.new_v) std::copy_n(g, F, out.new_v + b * F);
      if (shape.pop == Q::Pop::Keep) continue;
      // An element that survived had more than was asked of it: left = s - total.
      const Number left = ds && alive[j] && !(hit && !forward.onto[b]) ? ds[b * S + j] : 0;
      if (out.s) out.s[b * S + j] = left;
      if (out.total) out.total[b * S + j] = -left;
      if (hit && out.new_s) out.new_s[b] = ds ? ds[b * S + j] : 0;
    }
    if (target >= 0) return;
    if (out.new_v) std::fill_n(out.new_v + b * F, F, Number(0));
    if (out.new_s && shape.pop != Q::Pop::Keep) out.new_s[b] = 0;
  });
}

template void queue_push_forward(const QueuePushShape&, const QueuePushInputs<float>&,
                                 const QueuePushOutputs<float>&, int);
template void queue_push_forward(const QueuePushShape&, const QueuePushInputs<double>&,
                                 const QueuePushOutputs<double>&, int);
template void queue_push_backward(const QueuePushShape&, const QueuePushOutputs<float>&,
                                  const float*, const float*, const QueuePushGradients<float>&,
                                  int);
template void queue_push_backward(const QueuePushShape&, const QueuePushOutputs<double>&,
                                  const double*, const double*, const QueuePushGradients<double>&,
                                  int);

}  // namespace npq::kernels
