#pragma once
#include <ATen/core/Tensor.h>

namespace npq::ops {

/// max over i of left[b,i,j,f] + right[b,i,k,f], for [B, N, N, F] each: [B, j, k, F]. float32, CPU.
/// Of equal sums the lowest i gets the gradient. Has no second derivatives.
at::Tensor fused_max_plus(const at::Tensor& left, const at::Tensor& right);

}  // namespace npq::ops
