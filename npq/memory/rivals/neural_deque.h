#pragma once
#include "npq/memory/rivals/linear_structure.h"

namespace npq::memory {

/// The neural deque: a strip with two ends, each with its own push, pop and read. The bottom end
/// starts at slot S/2 - 1 and writes downwards, the top end at S/2 and writes upwards. Pops are
/// applied at the top first, then at the bottom; the two reads are concatenated before f_m.
/// With controls in {0, 1} this is std::deque (tests/memory/laws_test.cpp) as long as no end has
/// gone round, S/2 steps; `--slots auto` therefore gives a deque two slots per step.
class NeuralDeque : public Memory {
 public:
  NeuralDeque(const MemoryOptions& options, std::int64_t z_width, std::int64_t message_width);

  ops::ParameterSpecs parameter_specs() const override;
  MemoryState initial_state(const MemoryBatch& batch) const override;
  MemoryStep step(const ops::ParameterStore& parameters, const at::Tensor& z,
                  const MemoryState& state, Watch watch = Watch::Nothing) const override;

 private:
  MemoryOptions options_;
  std::int64_t z_width_, message_width_, width_;
};

}  // namespace npq::memory
