#pragma once
#include "npq/memory/memory.h"
#include "npq/memory/options.h"

// Controls: messages as a memory sends them, from nothing that was remembered. What a queue is worth
// beyond them is what its content is worth.
namespace npq::memory {

/// What a queue that holds nothing would send:
///   R_i = b
class Constant : public Memory {
 public:
  Constant(const MemoryOptions& options, std::int64_t z_width, std::int64_t message_width);

  ops::ParameterSpecs parameter_specs() const override;
  MemoryState initial_state(const MemoryBatch& batch) const override;
  MemoryStep step(const ops::ParameterStore& parameters, const at::Tensor& z,
                  const MemoryState& state, Watch watch = Watch::Nothing) const override;

 private:
  std::int64_t message_width_;
};

/// Every node hears all nodes of this step, and of no other:
///   R_i = mean_k f_m(z_k), or the sum
class GlobalMean : public Memory {
 public:
  GlobalMean(const MemoryOptions& options, std::int64_t z_width, std::int64_t message_width);

  ops::ParameterSpecs parameter_specs() const override;
  MemoryState initial_state(const MemoryBatch& batch) const override;
  MemoryStep step(const ops::ParameterStore& parameters, const at::Tensor& z,
                  const MemoryState& state, Watch watch = Watch::Nothing) const override;

 private:
  Pool pool_;
  std::int64_t z_width_, message_width_;
};

}  // namespace npq::memory
