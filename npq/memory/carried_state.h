#pragma once
#include <cstdint>

#include "npq/memory/ablation.h"
#include "npq/memory/memory.h"
#include "npq/memory/options.h"

namespace npq::memory {

/// The memory's state on its way through an unroll: the one place that decides what a step
/// remembers. (D1)
///   CarriedState state(options.carry, memory.initial_state(batch));
///   for (t = 0; t < K; ++t) {
///     state.begin_step(t);
///     for (each processor call of this step) messages = state.step(memory, parameters,
///     z).messages;
///   }
/// Carry::All hands every state to the next call. Carry::FirstStep begins each step t >= 1 with
/// the state that step 0 left, so all later writes are lost, except to the further processor calls
/// of the same step: what the published program computes under jit.
class CarriedState {
 public:
  CarriedState(Carry carry, MemoryState initial, Ablation ablation = Ablation::None);

  void begin_step(std::int64_t t);

  /// One processor call.
  MemoryStep step(const Memory& memory, const ops::ParameterStore& parameters, const at::Tensor& z,
                  Watch watch = Watch::Nothing);

  const MemoryState& state() const { return now_; }

  /// The same for only these samples, in this order.
  CarriedState select(const at::Tensor& samples) const;

 private:
  Carry carry_;
  Ablation ablation_;
  bool first_step_ = true;
  MemoryState initial_;  // Ablation::Empty alone
  MemoryState now_;
  MemoryState after_first_;
};

}  // namespace npq::memory
