#pragma once
#include "npq/memory/memory.h"
#include "npq/memory/options.h"

namespace npq::memory {

/// One vector g [B, F] per graph that hears all nodes and speaks to all:
///   R_i = f_m(g);   g' = g + Lin(relu(Lin([g, mean_i Lin(z_i)])))
class VirtualNode : public Memory {
 public:
  VirtualNode(const MemoryOptions& options, std::int64_t z_width, std::int64_t message_width);

  ops::ParameterSpecs parameter_specs() const override;
  MemoryState initial_state(const MemoryBatch& batch) const override;
  MemoryStep step(const ops::ParameterStore& parameters, const at::Tensor& z,
                  const MemoryState& state, Watch watch = Watch::Nothing) const override;

 private:
  std::int64_t z_width_, message_width_, width_;
};

}  // namespace npq::memory
