#pragma once
#include "npq/model/batch.h"
#include "npq/model/model.h"

namespace npq::model {

/// What the logits of a spec's outputs decide: indices for pointers, 0 or 1 for masks, one-hot
/// rows.
nn::TensorMap decided_outputs(const clrs::Spec& spec, const nn::TensorMap& logits);

struct Evaluation {
  nn::TensorMap raw;   // logits of the outputs
  nn::TensorMap hard;  // decided
};

/// Without gradients, dropout or teacher forcing.
Evaluation evaluate(const Model& model, const TensorBatch& batch);

}  // namespace npq::model
