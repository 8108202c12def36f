#pragma once
#include "npq/memory/memory.h"
#include "npq/memory/options.h"

namespace npq::memory {

/// The oracle: Dijkstra's own priority queue, replayed. Which node is taken at each step and whose
/// key that step changes is given with the batch (npq/clrs/algorithms/graphs/dijkstra_schedule.h)
/// and lies in the initial state, in training and in test. Node v has a store, 0 at first.
///   step t takes u:  R_u = O(store_u), R_i = 0 for all others (read before the write)
///                    store_v <- P(store_v) + Q(z_u) for all v whose key u's step changes
///   no node left:    all messages 0, nothing is written (behind the schedule it starts again)
/// The state: order [B,K] I64, children [B,N,N], store [B,N,F], step.
class Oracle : public Memory {
 public:
  Oracle(const MemoryOptions& options, std::int64_t z_width, std::int64_t message_width);

  ops::ParameterSpecs parameter_specs() const override;
  MemoryState initial_state(const MemoryBatch& batch) const override;
  MemoryStep step(const ops::ParameterStore& parameters, const at::Tensor& z,
                  const MemoryState& state, Watch watch = Watch::Nothing) const override;
  std::string message_layer() const override { return "memory/o"; }

 private:
  std::int64_t z_width_, message_width_, width_;
};

}  // namespace npq::memory
