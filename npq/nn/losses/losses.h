#pragma once
#include <ATen/core/Tensor.h>

#include "npq/clrs/spec/spec.h"

// Losses of one probe over a whole batch at once. -1 in a mask or a class row means: does not
// count.
//   scalar               (p - y)^2
//   mask                 -log of the probability given to y
//   mask_one, categorical, pointer   -log softmax(p) at the true node or class
//   permutation pointer  -sum_j y_j p_j, p being a logarithm already
namespace npq::nn {

/// A loss is the mean over what counts: a sum divided by a weight, which follows from the truth
/// alone. So the parts of a batch can be computed one by one.
///
/// prediction [B, ...], truth as in the batch: indices for pointers.
at::Tensor output_sum(const clrs::Probe& probe, const at::Tensor& prediction,
                      const at::Tensor& truth);
at::Tensor output_weight(const clrs::Probe& probe, const at::Tensor& truth);

/// Over steps and samples: predictions [K, B, ...] against the truth one step later, [K, B, ...];
/// `weights` [K, B] is 1 where that step is part of the sample. Where nothing counts the sum is 0,
/// and the weight is not.
at::Tensor hint_sum(const clrs::Probe& probe, const at::Tensor& predictions,
                    const at::Tensor& truth, const at::Tensor& weights);
at::Tensor hint_weight(const clrs::Probe& probe, const at::Tensor& truth,
                       const at::Tensor& weights);

}  // namespace npq::nn
