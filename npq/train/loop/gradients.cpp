#include "npq/train/loop/gradients.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "npq/model/losses.h"
#include "npq/ops/stream.h"
#include "npq/ops/threads.h"

namespace npq::train {
namespace {

constexpr std::int64_t kParts = 2;

/// Neighbouring samples of a batch, and what the network makes of them.
struct Part {
  std::int64_t first, size;
  model::Unrolled unrolled;
  std::vector<at::Tensor> gradients;  // of all parameters; undefined where it has none
};

std::vector<Part> divide(std::int64_t samples) {
  const auto parts = std::min(kParts, samples);
  std::vector<Part> divided(static_cast<std::size_t>(parts));
  for (std::int64_t k = 0; k < parts; ++k) {
    divided[k].first = samples * k / parts;
    divided[k].size = samples * (k + 1) / parts - divided[k].first;
  }
  return divided;
}

constexpr int kOutputSamples = 0, kHintSamples = 1;  // the axis of the samples in each

/// The predictions of all parts as if they had been made in one: leaves, whose gradients are where
/// the parts' own backward passes begin.
nn::TensorMap joined(const std::vector<Part>& parts, nn::TensorMap model::Unrolled::*predictions,
                     int axis) {
  nn::TensorMap whole;
  for (const auto& [name, value] : parts.front().unrolled.*predictions) {
    std::vector<at::Tensor> pieces;
    for (const auto& part : parts) pieces.push_back((part.unrolled.*predictions).at(name).detach());
    whole[name] = at::cat(pieces, axis).requires_grad_();
  }
  return whole;
}

/// From the gradients of the predictions to those of the parameters, for the samples of one part.
void backward(Part& part, const model::Unrolled& whole, const std::vector<at::Tensor>& parameters) {
  std::vector<at::Tensor> predictions, gradients;
  const auto collect = [&](const nn::TensorMap& own, const nn::TensorMap& all, int axis) {
    for (const auto& [name, value] : own) {
      const auto& gradient = all.at(name).grad();
      if (!gradient.defined() || !value.requires_grad()) continue;
      predictions.push_back(value);
      gradients.push_back(gradient.narrow(axis, part.first, part.size));
    }
  };
  collect(part.unrolled.outputs, whole.outputs, kOutputSamples);
  collect(part.unrolled.hints, whole.hints, kHintSamples);
  part.gradients = torch::autograd::grad(predictions, parameters, gradients, /*retain_graph=*/false,
                                         /*create_graph=*/false, /*allow_unused=*/true);
  part.unrolled = {};
}

/// In the order of the parts, whoever was first.
at::Tensor sum_of_parts(const std::vector<Part>& parts, std::size_t parameter) {
  at::Tensor sum;
  for (const auto& part : parts) {
    const auto& gradient = part.gradients[parameter];
    if (!gradient.defined()) continue;
    sum = sum.defined() ? sum + gradient : gradient;
  }
  return sum.defined() ? sum.contiguous() : sum;
}

}  // namespace

BatchLoss compute_gradients(const Network& network, const model::TensorBatch& batch,
                            std::uint64_t seed) {
  auto parts = divide(batch.size());
  const auto steps = std::max<std::int64_t>(1, batch.longest() - 1);
  ops::side_by_side(parts.size(), [&](std::size_t k) {
    auto& part = parts[k];
    std::vector<std::int64_t> samples(static_cast<std::size_t>(part.size));
    std::iota(samples.begin(), samples.end(), part.first);
    part.unrolled = network.model.unroll(
        batch.select(samples), {.seed = ops::derive_seed(seed, "part", k), .steps = steps});
  });

  const model::Unrolled whole{.outputs = joined(parts, &model::Unrolled::outputs, kOutputSamples),
                              .hints = joined(parts, &model::Unrolled::hints, kHintSamples),
                              .steps = {},
                              .health = {}};
  const auto losses = model::losses(network.task.spec(), whole, batch);
  BatchLoss loss{.total = losses.total.item<double>(), .terms = {}};
  for (const auto& [name, term] : losses.outputs)
    loss.terms["output/" + name] = term.item<double>();
  for (const auto& [name, term] : losses.hints) loss.terms["hint/" + name] = term.item<double>();
  losses.total.backward();

  std::vector<at::Tensor> parameters;
  for (const auto& entry : network.store) parameters.push_back(entry.value);
  ops::side_by_side(parts.size(), [&](std::size_t k) { backward(parts[k], whole, parameters); });
  for (std::size_t k = 0; k < parameters.size(); ++k)
    parameters[k].mutable_grad() = sum_of_parts(parts, k);
  return loss;
}

}  // namespace npq::train
