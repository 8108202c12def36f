#pragma once
#include "npq/memory/memory.h"
#include "npq/memory/options.h"

namespace npq::memory {

/// Gated memories, one cell per node; R_i = f_m(h_i), read before the step's update.
/// The state: h [B, N, F], with an LSTM also c [B, N, F].
class GatedMemory : public Memory {
 public:
  GatedMemory(const MemoryOptions& options, std::int64_t z_width, std::int64_t message_width);

  MemoryState initial_state(const MemoryBatch& batch) const override;
  MemoryStep step(const ops::ParameterStore& parameters, const at::Tensor& z,
                  const MemoryState& state, Watch watch = Watch::Nothing) const override;

 protected:
  std::int64_t z_width_, message_width_, width_;

 private:
  virtual bool has_cell() const = 0;
  /// Updates h, and c where there is one.
  virtual MemoryState update(const ops::ParameterStore& parameters, const at::Tensor& z,
                             const MemoryState& state) const = 0;
};

/// [i, g, f, o] = Lin([z, h]);  c' = sigmoid(f + 1) c + sigmoid(i) tanh(g);  h' = sigmoid(o)
/// tanh(c')
class Lstm : public GatedMemory {
 public:
  using GatedMemory::GatedMemory;
  ops::ParameterSpecs parameter_specs() const override;

 private:
  bool has_cell() const override { return true; }
  MemoryState update(const ops::ParameterStore& parameters, const at::Tensor& z,
                     const MemoryState& state) const override;
};

/// r = sigmoid(W_r z + U_r h);  u = sigmoid(W_u z + U_u h);  n = tanh(W_n z + r * (U_n h));
/// h' = (1 - u) n + u h, every product with its bias: torch's form
class Gru : public GatedMemory {
 public:
  using GatedMemory::GatedMemory;
  ops::ParameterSpecs parameter_specs() const override;

 private:
  bool has_cell() const override { return false; }
  MemoryState update(const ops::ParameterStore& parameters, const at::Tensor& z,
                     const MemoryState& state) const override;
};

}  // namespace npq::memory
