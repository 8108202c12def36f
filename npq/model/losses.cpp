#include "npq/model/losses.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

#include "npq/nn/losses/losses.h"

namespace npq::model {

using clrs::Stage;

namespace {

/// [K, B]: whether hint i+1, which step i predicts, is part of the sample.
at::Tensor time_weights(const std::vector<std::int64_t>& lengths, std::int64_t steps) {
  auto weights = at::empty({steps, static_cast<std::int64_t>(lengths.size())}, at::kDouble);
  double* values = weights.data_ptr<double>();
  for (std::int64_t i = 0; i < steps; ++i) {
    for (const auto length : lengths) *values++ = length > i + 1;
  }
  return weights;
}

at::Tensor loss_of_hint(const clrs::Probe& probe, const at::Tensor& predictions,
                        const TensorBatch& batch) {
  const auto& truth = nn::find_value(batch.hints, probe);
  const auto steps = std::min(predictions.size(0), truth.size(0) - 1);
  if (steps == 0) return at::zeros({}, predictions.options());  // only the initial state is known
  const auto weights = time_weights(batch.lengths, steps).to(predictions.scalar_type());
  return nn::hint_loss(probe, predictions.narrow(0, 0, steps), truth.narrow(0, 1, steps), weights);
}

}  // namespace

Losses losses(const clrs::Spec& spec, const Unrolled& unrolled, const TensorBatch& batch) {
  Losses result{.total = at::zeros({}, batch.dtype()), .outputs = {}, .hints = {}};
  for (const auto& probe : spec) {
    if (probe.stage == Stage::Output) {
      const auto& truth = nn::find_value(batch.outputs, probe);
      const auto loss = nn::output_loss(probe, unrolled.outputs.at(probe.name), truth);
      result.outputs[probe.name] = loss;
      result.total = result.total + loss;
    } else if (const auto found = unrolled.hints.find(probe.name);
               probe.stage == Stage::Hint && found != unrolled.hints.end()) {
      const auto loss = loss_of_hint(probe, found->second, batch);
      result.hints[probe.name] = loss;
      result.total = result.total + loss;
    }
  }
  return result;
}

}  // namespace npq::model
