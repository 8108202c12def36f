#pragma once
#include <utility>

#include "npq/memory/memory.h"
#include "npq/memory/options.h"

namespace npq::memory {

/// The thread of states through an unroll: the one place that decides what a step remembers. (D1)
///   Thread thread(options.carry, memory.initial_state(batch));
///   for (t = 0; t < K; ++t) {
///     thread.begin_step(t);
///     for (each processor call of this step) messages = thread.step(memory, parameters,
///     z).messages;
///   }
/// Carry::All threads every state into the next call. Carry::FirstStep begins each step t >= 1 with
/// the state that step 0 left, so all later writes are lost, except to the further processor calls
/// of the same step: what the published program computes under jit.
class Thread {
 public:
  Thread(Carry carry, MemoryState initial) : carry_(carry), now_(std::move(initial)) {}

  void begin_step(std::int64_t t) {
    if (carry_ == Carry::All || t == 0) return;
    if (t == 1) after_first_ = now_;
    now_ = after_first_;
  }

  /// One processor call.
  MemoryStep step(const Memory& memory, const ParameterStore& parameters, const at::Tensor& z,
                  Watch watch = Watch::Nothing) {
    auto result = memory.step(parameters, z, now_, watch);
    now_ = result.next_state;
    return result;
  }

  const MemoryState& state() const { return now_; }

  /// The same for only these samples, in this order.
  Thread select(const at::Tensor& samples) const {
    auto chosen = *this;
    chosen.now_ = now_.select(samples);
    chosen.after_first_ = after_first_.select(samples);
    return chosen;
  }

 private:
  Carry carry_;
  MemoryState now_;
  MemoryState after_first_;
};

}  // namespace npq::memory
