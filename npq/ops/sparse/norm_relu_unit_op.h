#pragma once
#include <ATen/core/Tensor.h>

namespace npq::ops {

struct NormReluUnit {
  at::Tensor out;             // [n, D]
  at::Tensor mean, variance;  // [D] double, of the columns of x; the variance is the biased one
};

/// Batch norm of x [n, D] by its own moments, relu, and every row divided by its length: a few
/// passes over x instead of some thirty; the equations are in kernels/norm_relu_unit. float32 or
/// double, CPU. Has no second derivatives.
NormReluUnit norm_relu_unit(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& offset,
                            double eps);

}  // namespace npq::ops
