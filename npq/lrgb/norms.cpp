#include "npq/lrgb/norms.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>

#include "npq/ops/sparse/norm_relu_unit_op.h"

namespace npq::lrgb {
namespace {

constexpr double kMomentum = 0.1;

at::Tensor moved(const at::Tensor& old, const at::Tensor& seen) {
  return old * (1 - kMomentum) + seen.detach().to(old.scalar_type()) * kMomentum;
}

/// The mean and the biased variance of a batch of so many nodes.
void remember(BatchStatistics& statistics, const at::Tensor& mean, const at::Tensor& variance,
              std::int64_t nodes) {
  const auto count = static_cast<double>(nodes);
  statistics.mean = moved(statistics.mean, mean);
  // The only node of a batch has no unbiased variance.
  statistics.variance = moved(statistics.variance, variance * (count / std::max(count - 1, 1.0)));
}

}  // namespace

at::Tensor batch_norm(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& offset,
                      Mode mode, BatchStatistics& statistics) {
  if (mode == Mode::Evaluate)
    return (x - statistics.mean) * ((statistics.variance + kBatchNormEps).rsqrt() * scale) + offset;
  // Not libtorch's own, whose sums depend on the number of threads.
  const auto mean = x.mean(0);
  const auto centred = x - mean;
  const auto variance = centred.square().mean(0);
  remember(statistics, mean, variance, x.size(0));
  return centred * ((variance + kBatchNormEps).rsqrt() * scale) + offset;
}

at::Tensor norm_relu_unit(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& offset,
                          BatchStatistics& statistics) {
  const auto found = ops::norm_relu_unit(x, scale, offset, kBatchNormEps);
  remember(statistics, found.mean, found.variance, x.size(0));
  return found.out;
}

at::Tensor unit_rows(const at::Tensor& x) {
  return x / x.norm(2, {-1}, /*keepdim=*/true).clamp_min(1e-12);
}

}  // namespace npq::lrgb
