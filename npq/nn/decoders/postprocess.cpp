#include "npq/nn/decoders/postprocess.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softmax.h>

#include "npq/base/error.h"
#include "npq/nn/decoders/sinkhorn.h"

namespace npq::nn {

using clrs::Type;

namespace {

at::Tensor one_hot_of_argmax(const at::Tensor& x) {
  const auto index = x.argmax(-1, /*keepdim=*/true);
  return index.eq(at::arange(x.size(-1), index.options())).to(x.scalar_type());
}

}  // namespace

at::Tensor soft_value(const clrs::Probe& probe, const at::Tensor& logits, int sinkhorn_steps) {
  switch (probe.type) {
    case Type::Scalar:
      return logits;
    case Type::Mask:
      return at::sigmoid(logits);
    case Type::MaskOne:
    case Type::Categorical:
    case Type::Pointer:
      return at::softmax(logits, -1);
    case Type::PermutationPointer:
      return at::exp(log_sinkhorn(logits, sinkhorn_steps));
    case Type::ShouldBePermutation:
      break;
  }
  NPQ_ASSERT(!"a should_be_permutation has no decoder");
  return {};
}

at::Tensor hard_value(const clrs::Probe& probe, const at::Tensor& logits, int sinkhorn_steps) {
  const auto x = logits.detach();
  switch (probe.type) {
    case Type::Scalar:
      return x;
    case Type::Mask:
      return x.gt(0).to(x.scalar_type());
    case Type::MaskOne:
    case Type::Categorical:
      return one_hot_of_argmax(x);
    case Type::Pointer:
      return x.argmax(-1);
    case Type::PermutationPointer:
      return one_hot_of_argmax(log_sinkhorn(x, sinkhorn_steps));
    case Type::ShouldBePermutation:
      break;
  }
  NPQ_ASSERT(!"a should_be_permutation has no decoder");
  return {};
}

}  // namespace npq::nn
