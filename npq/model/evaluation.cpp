#include "npq/model/evaluation.h"

#include <ATen/core/grad_mode.h>

#include "npq/nn/decoders/postprocess.h"
#include "npq/nn/decoders/sinkhorn.h"

namespace npq::model {

nn::TensorMap decided_outputs(const clrs::Spec& spec, const nn::TensorMap& logits) {
  nn::TensorMap decided;
  for (const auto& probe : spec) {
    if (probe.stage != clrs::Stage::Output) continue;
    decided[probe.name] = nn::hard_value(probe, logits.at(probe.name), nn::kSinkhornOutputSteps);
  }
  return decided;
}

Evaluation evaluate(const Model& model, const TensorBatch& batch) {
  const at::NoGradGuard no_grad;
  Evaluation result;
  result.raw =
      model.unroll(batch, {.mode = UnrollOptions::Mode::Evaluate, .keep_hints = false}).outputs;
  result.hard = decided_outputs(model.spec(), result.raw);
  return result;
}

}  // namespace npq::model
