#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>

namespace npq::ops {

/// One parameter and its moments: contiguous float32 on the CPU, changed in place. The gradient may
/// be undefined: zeros.
struct AdamTensors {
  at::Tensor value, gradient, m, v;
};

struct AdamNumbers {
  double rate, b1, b2, eps;
  std::int64_t updates;  // this one included
  double limit = 0;      // of the gradients' Euclidean length; 0: none
};

/// Clips all gradients to the limit (without changing them) and updates all parameters, each number
/// read once. Returns the length of the gradients before clipping; where it is not finite nothing
/// is updated. The equations are in kernels/adam.
double fused_adam(std::span<const AdamTensors> parameters, const AdamNumbers& numbers);

}  // namespace npq::ops
