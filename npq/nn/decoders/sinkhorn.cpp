#include "npq/nn/decoders/sinkhorn.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/log_softmax.h>

#include <cmath>

namespace npq::nn {
namespace {

constexpr double kTemperature = 0.1;
constexpr double kNever = 1e6;

at::Tensor gumbel_like(const at::Tensor& scores, ops::Stream& stream) {
  auto noise = at::empty(scores.sizes(), at::kDouble);
  double* numbers = noise.data_ptr<double>();
  for (std::int64_t i = 0; i < noise.numel(); ++i) {
    numbers[i] = -std::log(-std::log(stream.uniform() + 1e-12) + 1e-12);
  }
  return noise.to(scores.scalar_type());
}

}  // namespace

at::Tensor log_sinkhorn(const at::Tensor& scores, int steps, ops::Stream* noise) {
  auto x = noise ? scores + gumbel_like(scores, *noise) : scores;
  x = x / kTemperature - kNever * at::eye(scores.size(-1), scores.options());
  for (int i = 0; i < steps; ++i) x = at::log_softmax(at::log_softmax(x, -1), -2);
  return x;
}

}  // namespace npq::nn
