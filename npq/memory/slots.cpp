#include "npq/memory/slots.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/where.h>

namespace npq::memory {
namespace {

at::Tensor indices(const at::Tensor& like, std::int64_t size) {
  return at::arange(size, like.options().dtype(at::kLong));
}

}  // namespace

at::Tensor masked_softmax(const at::Tensor& logits, const at::Tensor& mask) {
  // Finite, and so low that exp() of the distance to any real logit is exactly 0 in float and
  // double.
  constexpr double kLowest = -1e30;
  const auto hidden = mask.logical_not();
  return logits.masked_fill(hidden, kLowest).softmax(-1).masked_fill(hidden, 0);
}

at::Tensor first_true(const at::Tensor& mask) {
  const std::int64_t size = mask.size(-1);
  const auto none = at::scalar_tensor(size, mask.options().dtype(at::kLong));
  return at::where(mask, indices(mask, size), none).amin(-1);
}

at::Tensor first_argmax(const at::Tensor& x) {
  const auto values = x.detach();
  return first_true(values.eq(values.amax(-1, /*keepdim=*/true)));
}

at::Tensor first_argmin(const at::Tensor& x) {
  const auto values = x.detach();
  return first_true(values.eq(values.amin(-1, /*keepdim=*/true)));
}

at::Tensor marks(const at::Tensor& index, std::int64_t size) {
  return index.unsqueeze(-1).eq(indices(index, size));
}

}  // namespace npq::memory
