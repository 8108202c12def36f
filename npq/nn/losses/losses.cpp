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

/// What an element costs.
at::Tensor mask_elements(const at::Tensor& p, const at::Tensor& y) {
  return at::clamp_min(p, 0) - p * y + at::log1p((-p.abs()).exp());
}

/// One element per row over classes or nodes, masked entries left out.
at::Tensor row_loss(const at::Tensor& p, const at::Tensor& y) {
  return -(y * y.ne(-1) * at::log_softmax(p, -1)).sum(-1);
}

at::Tensor pointer_loss(const at::Tensor& p, const at::Tensor& y) {
  return -at::log_softmax(p, -1).gather(-1, y.to(at::kLong).unsqueeze(-1)).squeeze(-1);
}

at::Tensor elements(Type type, const at::Tensor& p, const at::Tensor& y) {
  switch (type) {
    case Type::Scalar:
      return (p - y).square();
    case Type::Mask:
      return mask_elements(p, y);
    case Type::MaskOne:
    case Type::Categorical:
      return row_loss(p, y);
    case Type::Pointer:
      return pointer_loss(p, y);
    case Type::PermutationPointer:
      return -(y * p).sum(-1);
    case Type::ShouldBePermutation:
      break;
  }
  NPQ_ASSERT(!"a should_be_permutation has no decoder");
  return {};
}

/// 1 or 0 for every element: whether it counts.
at::Tensor counts(Type type, const at::Tensor& y) {
  switch (type) {
    case Type::Scalar:
    case Type::Pointer:
      return at::ones_like(y);
    case Type::Mask:
      return y.ne(-1).to(y.scalar_type());
    case Type::Categorical:
      return y.eq(1).any(-1).to(y.scalar_type());
    case Type::MaskOne:
    case Type::PermutationPointer:
      return at::ones_like(y.select(-1, 0));
    case Type::ShouldBePermutation:
      break;
  }
  NPQ_ASSERT(!"a should_be_permutation has no decoder");
  return {};
}

bool counts_true_entries(Type type) { return type == Type::MaskOne || type == Type::Categorical; }

at::Tensor weighted(at::Tensor counted, at::Tensor weights) {
  while (weights.dim() < counted.dim()) weights = weights.unsqueeze(-1);
  return counted * weights;
}

}  // namespace

at::Tensor output_sum(const clrs::Probe& probe, const at::Tensor& prediction,
                      const at::Tensor& truth) {
  const auto loss = elements(probe.type, prediction, truth);
  return (counts_true_entries(probe.type) ? loss : loss * counts(probe.type, truth)).sum();
}

at::Tensor output_weight(const clrs::Probe& probe, const at::Tensor& truth) {
  if (counts_true_entries(probe.type)) return truth.eq(1).sum().to(truth.scalar_type());
  return counts(probe.type, truth).sum();
}

at::Tensor hint_sum(const clrs::Probe& probe, const at::Tensor& predictions,
                    const at::Tensor& truth, const at::Tensor& weights) {
  return (elements(probe.type, predictions, truth) * weighted(counts(probe.type, truth), weights))
      .sum();
}

at::Tensor hint_weight(const clrs::Probe& probe, const at::Tensor& truth,
                       const at::Tensor& weights) {
  return at::clamp_min(weighted(counts(probe.type, truth), weights).sum(), 1e-12);
}

}  // namespace npq::nn
