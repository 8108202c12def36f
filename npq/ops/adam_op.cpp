#include "npq/ops/adam_op.h"

#include <ATen/core/grad_mode.h>

#include <cmath>
#include <vector>

#include "npq/base/error.h"
#include "npq/kernels/adam/adam.h"
#include "npq/ops/fused.h"

namespace npq::ops {

double fused_adam(std::span<const AdamTensors> parameters, const AdamNumbers& n) {
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> kept;  // contiguous copies of gradients live as long as their pointers
  std::vector<kernels::AdamSpan> spans;
  const auto numbers_in_place = [](const char* name, const at::Tensor& x, at::IntArrayRef shape) {
    if (!x.is_contiguous()) throw Error("fused_adam: '{}' is not contiguous", name);
    return checked("fused_adam", name, x, shape).data_ptr<float>();
  };
  for (const auto& p : parameters) {
    const auto shape = p.value.sizes();
    if (p.gradient.defined()) kept.push_back(checked("fused_adam", "gradient", p.gradient, shape));
    spans.push_back({.value = numbers_in_place("value", p.value, shape),
                     .gradient = p.gradient.defined() ? kept.back().data_ptr<float>() : nullptr,
                     .m = numbers_in_place("m", p.m, shape),
                     .v = numbers_in_place("v", p.v, shape),
                     .size = p.value.numel()});
  }
  const int count = static_cast<int>(spans.size()), threads = kernel_threads();
  const double norm = std::sqrt(kernels::gradient_squares(spans.data(), count, threads));
  if (!std::isfinite(norm)) return norm;
  const bool clipped = n.limit > 0 && norm >= n.limit;
  const auto t = static_cast<double>(n.updates);
  const kernels::AdamStep step = {
      .rate = static_cast<float>(n.rate),
      .b1 = static_cast<float>(n.b1),
      .b2 = static_cast<float>(n.b2),
      .eps = static_cast<float>(n.eps),
      .m_share = static_cast<float>(1 - n.b1),
      .v_share = static_cast<float>(1 - n.b2),
      .m_scale = static_cast<float>(1 / (1 - std::pow(n.b1, t))),
      .v_scale = static_cast<float>(1 / (1 - std::pow(n.b2, t))),
      .gradient_scale = clipped ? static_cast<float>(n.limit / norm) : 1.0f};
  kernels::adam_update(spans.data(), count, step, threads);
  return norm;
}

}  // namespace npq::ops
