#include "npq/train/lockstep.h"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "npq/ops/path.h"
#include "npq/ops/stream.h"
#include "npq/train/adam.h"
#include "npq/train/gradients.h"
#include "npq/train/network.h"
#include "npq/train/training_data.h"

namespace npq::train {
namespace {

/// Loss and gradients of one batch; the gradients also stay in the network's parameters.
struct Sides {
  double loss;
  std::vector<at::Tensor> gradients;  // double, in the order of the store
};

Sides run_path(ops::Path path, const Network& network, const model::TensorBatch& batch,
               std::uint64_t seed) {
  const ops::ScopedPath scope(path);
  Sides sides{compute_gradients(network, batch, seed).total, {}};
  for (const auto& entry : network.store)
    sides.gradients.push_back(network.store.grad(entry.name).to(at::kDouble).clone());
  return sides;
}

double squares(const at::Tensor& x) { return std::pow(x.norm().item<double>(), 2); }

LockstepDifference compare(const Sides& fused, const Sides& composed, const ParameterStore& store) {
  LockstepDifference found;
  found.composed_loss = composed.loss;
  found.loss = std::abs(fused.loss - composed.loss) / std::max(std::abs(composed.loss), 1e-30);
  double apart = 0, length = 0, most = -1;
  std::size_t k = 0;
  for (const auto& entry : store) {
    const double here = squares(fused.gradients[k] - composed.gradients[k]);
    // What is no number is the worst of all.
    if (!(here <= most)) most = here, found.worst = entry.name;
    apart += here;
    length += squares(composed.gradients[k]);
    ++k;
  }
  found.gradient = std::sqrt(apart / std::max(length, 1e-30));
  return found;
}

}  // namespace

LockstepBounds lockstep_bounds(SimdLevel level) {
  return {.loss = 1e-5, .gradient = level == SimdLevel::Amx ? 1e-2 : 1e-3};
}

LockstepDifference run_lockstep(const TrainOptions& options, std::int64_t steps,
                                const std::function<void(const LockstepDifference&)>& each) {
  const Network network(options);
  TrainingData data(network.task, options);
  Adam adam(network.store, options.adam);
  LockstepDifference largest;
  for (std::int64_t step = 0; step < steps; ++step) {
    const auto batch = data.next();
    const auto seed = derive_seed(options.seed, "step", static_cast<std::uint64_t>(step));
    const auto composed = run_path(ops::Path::Composed, network, batch, seed);
    const auto fused = run_path(ops::Path::Fused, network, batch, seed);
    auto found = compare(fused, composed, network.store);
    found.step = step;
    if (each) each(found);
    // Written so that what is no number counts as the largest.
    largest.loss = found.loss <= largest.loss ? largest.loss : found.loss;
    if (!(found.gradient <= largest.gradient)) {
      const double loss = largest.loss;
      largest = found;
      largest.loss = loss;
    }
    clip_by_global_norm(network.store, options.clip);
    adam.step();
  }
  return largest;
}

}  // namespace npq::train
