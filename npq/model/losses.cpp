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

/// The part of a hint that predictions of so many steps are compared with, and the steps' weights.
struct HintTruth {
  std::int64_t steps;
  at::Tensor values, weights;
};

HintTruth hint_truth(const clrs::Probe& probe, const TensorBatch& batch, std::int64_t predicted) {
  const auto& truth = nn::find_value(batch.hints, probe);
  const auto steps = std::min(predicted, truth.size(0) - 1);
  return {steps, truth.narrow(0, 1, steps), time_weights(batch.lengths, steps).to(batch.dtype())};
}

}  // namespace

LossWeights loss_weights(const clrs::Spec& spec, const TensorBatch& batch) {
  LossWeights weights;
  const auto predicted = std::max<std::int64_t>(1, batch.longest() - 1);
  for (const auto& probe : spec) {
    if (probe.stage == Stage::Output) {
      weights.outputs[probe.name] = nn::output_weight(probe, nn::find_value(batch.outputs, probe));
    } else if (probe.stage == Stage::Hint && probe.type != clrs::Type::ShouldBePermutation) {
      const auto truth = hint_truth(probe, batch, predicted);
      weights.hints[probe.name] = nn::hint_weight(probe, truth.values, truth.weights);
    }
  }
  return weights;
}

Losses losses(const clrs::Spec& spec, const Unrolled& unrolled, const TensorBatch& part,
              const LossWeights& whole) {
  Losses result{.total = at::zeros({}, part.dtype()), .outputs = {}, .hints = {}};
  for (const auto& probe : spec) {
    if (probe.stage == Stage::Output) {
      const auto& truth = nn::find_value(part.outputs, probe);
      const auto sum = nn::output_sum(probe, unrolled.outputs.at(probe.name), truth);
      const auto loss = sum / whole.outputs.at(probe.name);
      result.outputs[probe.name] = loss;
      result.total = result.total + loss;
    } else if (const auto found = unrolled.hints.find(probe.name);
               probe.stage == Stage::Hint && found != unrolled.hints.end()) {
      const auto& predictions = found->second;
      const auto truth = hint_truth(probe, part, predictions.size(0));
      const auto sum =
          nn::hint_sum(probe, predictions.narrow(0, 0, truth.steps), truth.values, truth.weights);
      const auto loss = sum / whole.hints.at(probe.name);
      result.hints[probe.name] = loss;
      result.total = result.total + loss;
    }
  }
  return result;
}

Losses losses(const clrs::Spec& spec, const Unrolled& unrolled, const TensorBatch& batch) {
  return losses(spec, unrolled, batch, loss_weights(spec, batch));
}

}  // namespace npq::model
