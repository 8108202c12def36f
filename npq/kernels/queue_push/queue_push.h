#pragma once
#include <cstdint>

#include "npq/kernels/constants.h"
#include "npq/kernels/queue_choices.h"

// Pushing into the neural priority queue: the state after a step, forward and backward.
//                                                                               [NPQ, eq. 25-30]
namespace npq::kernels {

struct QueuePushShape {
  int batch = 0, slots = 0, width = 0;  // B, S, F
  std::int64_t step = 0;                // the number of steps so far

  // The defaults are the paper's NPQ.
  QueueChoices::Pop pop = QueueChoices::Pop::Consume;  // Keep: nothing is deleted
  QueueChoices::SlotWrite slot_write = QueueChoices::SlotWrite::Overwrite;
  QueueChoices::FullQueue full_queue = QueueChoices::FullQueue::Weakest;
  QueueChoices::WriteSlot write_slot = QueueChoices::WriteSlot::AfterDeletion;
};

template <class Number>
struct QueuePushInputs {
  const Number* v;                 // [B, S, F]
  const Number* s;                 // [B, S]; null with Pop::Keep
  const Number* total;             // [B, S]: what was asked of each slot; null with Pop::Keep
  const Number* new_v;             // [B, F]
  const Number* new_s;             // [B]; null with Pop::Keep
  const std::int64_t* written;     // [B, S]: the step that filled the slot, -1 for a free one
  const std::int64_t* write_slot;  // [B], with WriteSlot::PreviousStep
};

template <class Number>
struct QueuePushOutputs {
  Number* v;                 // [B, S, F]
  Number* s;                 // [B, S]; null with Pop::Keep
  std::int64_t* written;     // [B, S]
  std::int64_t* write_slot;  // [B], with WriteSlot::PreviousStep
  // For the gradients:
  std::uint8_t* alive;   // [B, S]: survived the deletion
  std::int32_t* target;  // [B]: where the new element went, -1: nowhere
  std::uint8_t* onto;    // [B]: it was added to what the slot held
};

template <class Number>
struct QueuePushGradients {
  Number *v, *s, *total, *new_v, *new_s;  // overwritten; null: not wanted
};

///   left[j] = s[j] - min(total[j], s[j]); below 1e-6 the slot is free, and zero        [eq. 25-27]
///   the new element goes to the lowest free slot, in a full queue to the weakest or
///   the oldest, or is added to slot 0; one below 1e-6 goes nowhere                     [eq. 30]
/// No arithmetic but one subtraction and one addition per slot: the same code at every level, bound
/// by memory. Contiguous arrays that do not overlap, but outputs v, s and written may be the inputs
/// themselves: then only what changes is touched.
template <class Number>
void queue_push_forward(const QueuePushShape& shape, const QueuePushInputs<Number>& in,
                        const QueuePushOutputs<Number>& out, int threads);
/// From dv [B, S, F], ds [B, S] (null: zero) and the forward's alive, target, onto.
template <class Number>
void queue_push_backward(const QueuePushShape& shape, const QueuePushOutputs<Number>& forward,
                         const Number* dv, const Number* ds,
                         const QueuePushGradients<Number>& gradients, int threads);

}  // namespace npq::kernels
