#include "npq/train/loop/gradients.h"

#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "npq/ops/stream.h"
#include "npq/ops/threads.h"
#include "npq/train/loop/shared_sums.h"

namespace npq::train {
namespace {

std::vector<at::Tensor> parameters_of(const Network& network) {
  std::vector<at::Tensor> parameters;
  for (const auto& entry : network.store) parameters.push_back(entry.value);
  return parameters;
}

}  // namespace

PartSums compute_part(const Network& network, const model::TensorBatch& batch,
                      const model::LossWeights& weights, const Part& part, std::uint64_t seed) {
  const auto samples = batch.narrow(part.first, part.size);
  const auto own_seed = ops::derive_seed(seed, "part", static_cast<std::uint64_t>(part.index));
  // As many steps as the whole batch takes: a memory has a slot for each.
  const auto steps = std::max<std::int64_t>(1, batch.longest() - 1);
  const auto losses = model::losses(
      network.task.spec(), network.model.unroll(samples, {.seed = own_seed, .steps = steps}),
      samples, weights);
  PartSums sums;
  for (const auto& [name, loss] : losses.outputs)
    sums.losses["output/" + name] = loss.item<double>();
  for (const auto& [name, loss] : losses.hints) sums.losses["hint/" + name] = loss.item<double>();
  sums.gradients =
      torch::autograd::grad({losses.total}, parameters_of(network), {}, /*retain_graph=*/false,
                            /*create_graph=*/false, /*allow_unused=*/true);
  return sums;
}

BatchLoss take_gradients(const Network& network, PartSums whole) {
  BatchLoss loss{.total = 0, .terms = std::move(whole.losses)};
  for (const auto& [name, term] : loss.terms) loss.total += term;
  std::size_t k = 0;
  for (const auto& entry : network.store)
    entry.value.mutable_grad() = std::move(whole.gradients[k++]);
  return loss;
}

BatchLoss compute_gradients(const Network& network, const model::TensorBatch& batch,
                            std::uint64_t seed, Ranks& ranks) {
  const auto parts = parts_of(batch.size());
  const auto weights = model::loss_weights(network.task.spec(), batch);
  const auto parameters = parameters_of(network);
  const auto own = ranks.share(parts.size());
  std::vector<PartSums> sums(parts.size(), {.gradients = {parameters.size(), at::Tensor()}});
  ops::side_by_side(own.size(), [&](std::size_t k) {
    sums[own.first + k] = compute_part(network, batch, weights, parts[own.first + k], seed);
  });
  return take_gradients(network, sum_over_ranks(std::move(sums), parameters, ranks));
}

BatchLoss compute_gradients(const Network& network, const model::TensorBatch& batch,
                            std::uint64_t seed) {
  Ranks alone;
  return compute_gradients(network, batch, seed, alone);
}

}  // namespace npq::train
