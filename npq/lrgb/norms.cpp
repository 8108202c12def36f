#include "npq/lrgb/norms.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>

namespace npq::lrgb {
namespace {

constexpr double kEps = 1e-5;
constexpr double kMomentum = 0.1;

at::Tensor moved(const at::Tensor& old, const at::Tensor& seen) {
  return old * (1 - kMomentum) + seen.detach() * kMomentum;
}

}  // namespace

at::Tensor batch_norm(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& offset,
                      Mode mode, BatchStatistics& statistics) {
  if (mode == Mode::Evaluate)
    return (x - statistics.mean) * ((statistics.variance + kEps).rsqrt() * scale) + offset;
  // Not libtorch's own, whose sums depend on the number of threads.
  const auto mean = x.mean(0);
  const auto centred = x - mean;
  const auto variance = centred.square().mean(0);
  const auto nodes = static_cast<double>(x.size(0));
  statistics.mean = moved(statistics.mean, mean);
  // The only node of a batch has no unbiased variance.
  statistics.variance = moved(statistics.variance, variance * (nodes / std::max(nodes - 1, 1.0)));
  return centred * ((variance + kEps).rsqrt() * scale) + offset;
}

at::Tensor unit_rows(const at::Tensor& x) {
  return x / x.norm(2, {-1}, /*keepdim=*/true).clamp_min(1e-12);
}

}  // namespace npq::lrgb
