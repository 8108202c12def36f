#include "npq/train/measuring/lockstep.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "npq/ops/path.h"
#include "npq/ops/stream.h"
#include "npq/train/loop/adam.h"
#include "npq/train/loop/gradients.h"
#include "npq/train/loop/training_data.h"
#include "npq/train/network.h"

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

LockstepDifference compare(const Sides& fused, const Sides& composed,
                           const ops::ParameterStore& store) {
  LockstepDifference found;
  found.composed_loss = composed.loss;
  found.loss = std::abs(fused.loss - composed.loss) / std::max(std::abs(composed.loss), 1e-30);
  double apart = 0, length = 0, most = -1;
  std::size_t k = 0;
  for (const auto& entry : store) {
    const double here = squares(fused.gradients[k] - composed.gradients[k]);
    // NaN is the worst of all.
    if (!(here <= most)) most = here, found.worst = entry.name;
    apart += here;
    length += squares(composed.gradients[k]);
    ++k;
  }
  found.gradient = std::sqrt(apart / std::max(length, 1e-30));
  return found;
}

/// All weights moved by up to two of their last bits while it lives.
class Nudged {
 public:
  Nudged(const ops::ParameterStore& store, std::uint64_t seed) : store_(store) {
    constexpr double kMost = 0x1p-21;
    const at::NoGradGuard no_gradients;
    ops::Stream stream(seed);
    for (const auto& entry : store) {
      kept_.push_back(entry.value.clone());
      auto value = entry.value.view({-1});
      for (std::int64_t i = 0; i < value.size(0); ++i) {
        float& number = value.data_ptr<float>()[i];
        number = static_cast<float>(number * (1 + kMost * (2 * stream.uniform() - 1)));
      }
    }
  }
  ~Nudged() {
    const at::NoGradGuard no_gradients;
    std::size_t k = 0;
    for (const auto& entry : store_) at::Tensor(entry.value).copy_(kept_[k++]);
  }
  Nudged(const Nudged&) = delete;
  Nudged& operator=(const Nudged&) = delete;

 private:
  const ops::ParameterStore& store_;
  std::vector<at::Tensor> kept_;
};

/// Fused and composed gradients of one batch; the fused ones stay in the network's parameters.
LockstepDifference compare_paths(const Network& network, const model::TensorBatch& batch,
                                 std::uint64_t seed) {
  constexpr std::uint64_t kNeighbours = 32;
  const auto bounds = lockstep_bounds(active_simd_level());
  const auto composed = run_path(ops::Path::Composed, network, batch, seed);
  const auto fused = run_path(ops::Path::Fused, network, batch, seed);
  auto found = compare(fused, composed, network.store);
  bool loss_allowed = found.loss <= bounds.loss, allowed = found.gradient <= bounds.gradient;
  if (loss_allowed && allowed) return found;
  for (std::uint64_t k = 0; k < kNeighbours && !(loss_allowed && allowed); ++k) {
    const Nudged nudged(network.store, ops::derive_seed(seed, "neighbour", k));
    const auto neighbour = run_path(ops::Path::Composed, network, batch, seed);
    const auto to_it = compare(fused, neighbour, network.store);
    const auto from_it = compare(neighbour, composed, network.store);
    loss_allowed = loss_allowed || to_it.loss <= bounds.loss || from_it.loss >= found.loss;
    allowed = allowed || to_it.gradient <= bounds.gradient || from_it.gradient >= found.gradient;
  }
  if (loss_allowed && allowed) {
    found.loss = found.gradient = 0;
    found.kinks = 1;
  }
  run_path(ops::Path::Fused, network, batch, seed);
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
    const auto seed = ops::derive_seed(options.seed, "step", static_cast<std::uint64_t>(step));
    auto found = compare_paths(network, batch, seed);
    found.step = step;
    if (each) each(found);
    // Written so that NaN counts as the largest.
    const double loss = found.loss <= largest.loss ? largest.loss : found.loss;
    const auto kinks = largest.kinks + found.kinks;
    if (!(found.gradient <= largest.gradient)) largest = found;
    largest.loss = loss;
    largest.kinks = kinks;
    clip_by_global_norm(network.store, options.clip);
    adam.step();
  }
  return largest;
}

}  // namespace npq::train
