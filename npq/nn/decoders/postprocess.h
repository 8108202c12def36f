#pragma once
#include <ATen/core/Tensor.h>

#include "npq/clrs/spec/spec.h"

// From logits to values: of hints before they are fed back, and of outputs before they are scored.
namespace npq::nn {

/// Differentiable: the number, a probability, a distribution over nodes or classes, a doubly
/// stochastic matrix.
at::Tensor soft_value(const clrs::Probe& probe, const at::Tensor& logits, int sinkhorn_steps);

/// Decided, and without gradient: the number, 0 or 1, one-hot rows; for pointers the index.
at::Tensor hard_value(const clrs::Probe& probe, const at::Tensor& logits, int sinkhorn_steps);

}  // namespace npq::nn
