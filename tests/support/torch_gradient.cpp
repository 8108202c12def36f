#include "tests/support/torch_gradient.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_like.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "npq/ops/stream.h"

namespace npq::test {

double gradient_error(const ops::ParameterStore& store, const std::function<at::Tensor()>& loss,
                      std::uint64_t seed) {
  constexpr double kStep = 1e-6;
  store.zero_grad();
  loss().backward();
  const at::NoGradGuard no_grad;
  ops::Stream stream(seed);
  std::vector<at::Tensor> direction;
  double slope = 0;
  for (const auto& [name, value] : store) {
    auto part = at::empty_like(value, value.options().requires_grad(false));
    double* numbers = part.data_ptr<double>();
    for (std::int64_t i = 0; i < part.numel(); ++i) numbers[i] = stream.normal();
    slope += store.grad(name).mul(part).sum().item<double>();
    direction.push_back(part);
  }
  const auto loss_at = [&](double distance) {
    std::size_t k = 0;
    for (const auto& [name, value] : store) value.add_(direction[k++], distance);
    return loss().item<double>();
  };
  const double above = loss_at(kStep), below = loss_at(-2 * kStep);
  loss_at(kStep);  // back to where they were, up to rounding
  const double quotient = (above - below) / (2 * kStep);
  return std::abs(quotient - slope) / std::max({1.0, std::abs(quotient), std::abs(slope)});
}

}  // namespace npq::test
