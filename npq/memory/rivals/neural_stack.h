#pragma once
#include "npq/memory/rivals/linear_structure.h"

namespace npq::memory {

/// The neural stack and the neural queue: push at the newest end, pop and read at the newest
/// (stack) or the oldest (queue).
///   cover_j = sum of s_i over elements newer (stack) or older (queue) than j
///   r    = sum_j min(s_j, relu(1 - cover_j)) v_j           R = f_m(r)
///   s_j <- relu(s_j - relu(u - cover_j)), then (v, d) is written to the next slot
/// With d and u in {0, 1} these are std::stack and std::queue (tests/memory/laws_test.cpp).
/// Where the strip has gone round, the write replaces the oldest element and age still orders it.
class NeuralStack : public Memory {
 public:
  enum class End { Newest, Oldest };  // where one pops: a stack, a queue

  NeuralStack(End end, const MemoryOptions& options, std::int64_t z_width,
              std::int64_t message_width);

  ops::ParameterSpecs parameter_specs() const override;
  MemoryState initial_state(const MemoryBatch& batch) const override;
  MemoryStep step(const ops::ParameterStore& parameters, const at::Tensor& z,
                  const MemoryState& state, Watch watch = Watch::Nothing) const override;

 private:
  End end_;
  MemoryOptions options_;
  std::int64_t z_width_, message_width_, width_;
};

}  // namespace npq::memory
