#pragma once
#include "npq/memory/memory.h"
#include "npq/memory/options.h"

namespace npq::memory {

/// The neural priority queue, one per graph: a list of elements (v_j in R^F, strength s_j in (0,
/// 1)) that all nodes of a graph share. [NPQ, eq. 13-30] A step lets every node pop by attention
/// (queue_pop.h), takes out what was granted, then pushes one element made of all nodes
/// (queue_push.h). With Pop::Keep (NPQ-P) there are no strengths and nothing is ever taken out.
/// [NPQ, eq. 117-122]
///
/// The state: v [B,S,F] and, with Pop::Consume, s [B,S]; written [B,S] I64, the step that filled
/// the slot, -1 for a free one; step, the number of steps so far. A free slot is all zeros (unless
/// SlotWrite::Add). With WriteSlot::PreviousStep also write_slot [B] I64.
///
/// An element counts as present from strength 1e-6 on. (D8: the paper says "nonzero")
class PriorityQueue : public Memory {
 public:
  PriorityQueue(const MemoryOptions& options, std::int64_t z_width, std::int64_t message_width);

  ops::ParameterSpecs parameter_specs() const override;
  MemoryState initial_state(const MemoryBatch& batch) const override;
  MemoryStep step(const ops::ParameterStore& parameters, const at::Tensor& z,
                  const MemoryState& state, Watch watch = Watch::Nothing) const override;

  /// Which slots hold an element, [B, S].
  static at::Tensor occupied(const MemoryState& state);

 private:
  MemoryOptions options_;
  std::int64_t z_width_, message_width_, width_;
};

}  // namespace npq::memory
