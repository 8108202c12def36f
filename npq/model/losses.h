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

}  // namespace npq::model
