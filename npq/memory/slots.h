#pragma once
#include <ATen/core/Tensor.h>

// Small exact operations over the last axis, the slots of a memory.
namespace npq::memory {

/// softmax over the entries where `mask` holds, 0 elsewhere, and 0 everywhere if it holds nowhere.
/// The softmax itself runs on finite numbers only, so an empty queue has gradient 0, not NaN.
at::Tensor masked_softmax(const at::Tensor& logits, const at::Tensor& mask);

/// The smallest index where `mask` [..., S] holds, S if nowhere: [...].
at::Tensor first_true(const at::Tensor& mask);

/// The smallest index of the largest (smallest) entry. Said explicitly, since ties are common
/// (equal elements, empty slots) and no backend promises which one it returns.
at::Tensor first_argmax(const at::Tensor& x);
at::Tensor first_argmin(const at::Tensor& x);

/// index [...] -> bool [..., size]; an index outside gives no mark.
at::Tensor marks(const at::Tensor& index, std::int64_t size);

}  // namespace npq::memory
