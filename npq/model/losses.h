#pragma once
#include <ATen/core/Tensor.h>

#include "npq/model/batch.h"
#include "npq/model/model.h"

namespace npq::model {

/// The terms of a batch's loss by name, and their plain sum: what training lowers.
struct Losses {
  at::Tensor total;
  nn::TensorMap outputs, hints;
};

/// `unrolled` must hold the hint predictions, unless hints are not decoded.
Losses losses(const clrs::Spec& spec, const Unrolled& unrolled, const TensorBatch& batch);

/// What each term's sum is divided by, by name. It follows from the truth of the batch alone.
struct LossWeights {
  nn::TensorMap outputs, hints;
};
LossWeights loss_weights(const clrs::Spec& spec, const TensorBatch& batch);

/// What the samples of a part contribute to the loss of the whole batch: over all parts that adds
/// up to it, and so do the gradients.
Losses losses(const clrs::Spec& spec, const Unrolled& unrolled, const TensorBatch& part,
              const LossWeights& whole);

}  // namespace npq::model
