#include "npq/lrgb/node_values.h"

#include <ATen/TensorOperators.h>

namespace npq::lrgb {

at::Tensor NodeValues::times(const at::Tensor& weight) const {
  return table_.defined() ? rows_ * table_.matmul(weight) : x_.matmul(weight);
}

at::Tensor NodeValues::through(const ops::Linear& linear) const {
  return table_.defined() ? times(linear.weight) + linear.bias : linear(x_);
}

const at::Tensor& NodeValues::dense() const {
  if (!x_.defined()) x_ = rows_ * table_;
  return x_;
}

}  // namespace npq::lrgb
