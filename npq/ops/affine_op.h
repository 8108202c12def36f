#pragma once
#include <ATen/core/Tensor.h>

namespace npq::ops {

/// x [..., in] W [in, out] + b [out] in float32, as one operation with one backward pass: on small
/// matrices libtorch's bookkeeping for the reshapes, the spread bias and its sum takes longer than
/// they do.
at::Tensor fused_affine(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

}  // namespace npq::ops
