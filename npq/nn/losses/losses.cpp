#include "npq/nn/losses/losses.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/log1p.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/ones_like.h>

#include "npq/base/error.h"

namespace npq::nn {

using clrs::Type;

namespace {

/// The loss of each element, and 1 or 0 for whether it counts.
struct Elements {
  at::Tensor loss, counts;
};

Elements mask_elements(const at::Tensor& p, const at::Tensor& y) {
  const auto loss = at::clamp_min(p, 0) - p * y + at::log1p((-p.abs()).exp());
  return {loss, y.ne(-1).to(p.scalar_type())};
}

/// One element per row over classes or nodes, masked entries left out.
at::Tensor row_loss(const at::Tensor& p, const at::Tensor& y) {
  return -(y * y.ne(-1) * at::log_softmax(p, -1)).sum(-1);
}

at::Tensor pointer_loss(const at::Tensor& p, const at::Tensor& y) {
  return -at::log_softmax(p, -1).gather(-1, y.to(at::kLong).unsqueeze(-1)).squeeze(-1);
}

Elements elements(Type type, const at::Tensor& p, const at::Tensor& y) {
  const auto all_count = [](at::Tensor loss) { return Elements{loss, at::ones_like(loss)}; };
  switch (type) {
    case Type::Scalar:
      return all_count((p - y).square());
    case Type::Mask:
      return mask_elements(p, y);
    case Type::MaskOne:
      return all_count(row_loss(p, y));
    case Type::Categorical:
      return {row_loss(p, y), y.eq(1).any(-1).to(p.scalar_type())};
    case Type::Pointer:
      return all_count(pointer_loss(p, y));
    case Type::PermutationPointer:
      return all_count(-(y * p).sum(-1));
    case Type::ShouldBePermutation:
      break;
  }
  NPQ_ASSERT(!"a should_be_permutation has no decoder");
  return {};
}

}  // namespace

at::Tensor output_loss(const clrs::Probe& probe, const at::Tensor& prediction,
                       const at::Tensor& truth) {
  const auto [loss, counts] = elements(probe.type, prediction, truth);
  if (probe.type == Type::MaskOne || probe.type == Type::Categorical) {
    return loss.sum() / truth.eq(1).sum();
  }
  return (loss * counts).sum() / counts.sum();
}

at::Tensor hint_loss(const clrs::Probe& probe, const at::Tensor& predictions,
                     const at::Tensor& truth, const at::Tensor& weights) {
  const auto [loss, counts] = elements(probe.type, predictions, truth);
  auto w = weights;
  while (w.dim() < loss.dim()) w = w.unsqueeze(-1);
  const auto weighted = counts * w;
  return (loss * weighted).sum() / at::clamp_min(weighted.sum(), 1e-12);
}

}  // namespace npq::nn
