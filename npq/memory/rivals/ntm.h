#pragma once
#include "npq/memory/memory.h"
#include "npq/memory/options.h"

namespace npq::memory {

/// A neural Turing machine (Graves et al. 2014) per graph: a tape of S cells that every node reads
/// by content and one head writes by content and by moving.
///   read:  k_i = tanh(Lin z_i), b_i = 1 + softplus(Lin z_i),
///          a_ij = softmax_j(b_i cos(k_i, M_j)),   R_i = f_m(sum_j a_ij M_j)
///   write, all controls from p = mean_i Lin(z_i):
///          w^c = softmax_j(b cos(k, M_j)),        w^g = g w^c + (1 - g) w
///          w^s_j = sum_d s_d w^g_{j-d} round the tape, d in {-1, 0, 1}
///          w'_j = (w^s_j)^y / sum_i (w^s_i)^y,    M'_j = M_j (1 - w'_j e) + w'_j a
/// The state: tape [B,S,F] = 1e-6 and head [B,S], at cell 0. With sharp weights it is a tape
/// (tests/memory/laws_test.cpp).
class Ntm : public Memory {
 public:
  Ntm(const MemoryOptions& options, std::int64_t z_width, std::int64_t message_width);

  ops::ParameterSpecs parameter_specs() const override;
  MemoryState initial_state(const MemoryBatch& batch) const override;
  MemoryStep step(const ops::ParameterStore& parameters, const at::Tensor& z,
                  const MemoryState& state, Watch watch = Watch::Nothing) const override;

 private:
  MemoryOptions options_;
  std::int64_t z_width_, message_width_, width_;
};

}  // namespace npq::memory
