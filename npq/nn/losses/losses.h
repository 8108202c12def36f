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

/// Mean over what counts. prediction [B, ...], truth as in the batch: indices for pointers.
at::Tensor output_loss(const clrs::Probe& probe, const at::Tensor& prediction,
                       const at::Tensor& truth);
/// The mean is a sum divided by a weight, which follows from the truth alone: so the losses of
/// parts of a batch can be computed one by one.
at::Tensor output_sum(const clrs::Probe& probe, const at::Tensor& prediction,
                      const at::Tensor& truth);
at::Tensor output_weight(const clrs::Probe& probe, const at::Tensor& truth);

/// Weighted mean over steps and samples: predictions [K, B, ...] against the truth one step later,
/// [K, B, ...]; `weights` [K, B] is 1 where that step is part of the sample. 0 where nothing
/// counts.
at::Tensor hint_loss(const clrs::Probe& probe, const at::Tensor& predictions,
                     const at::Tensor& truth, const at::Tensor& weights);
/// The same, before and by what it is divided.
at::Tensor hint_sum(const clrs::Probe& probe, const at::Tensor& predictions,
                    const at::Tensor& truth, const at::Tensor& weights);
at::Tensor hint_weight(const clrs::Probe& probe, const at::Tensor& truth,
                       const at::Tensor& weights);

}  // namespace npq::nn
