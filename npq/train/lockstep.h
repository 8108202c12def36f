#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "npq/base/simd.h"
#include "npq/train/options.h"

namespace npq::train {

/// How far the fused path is from the composed one in one update, both from the same weights and
/// the same batch.
struct LockstepDifference {
  std::int64_t step = 0;
  double loss = 0;      // relative
  double gradient = 0;  // of all parameters together, relative Euclidean distance
  std::string worst;    // the parameter that contributes most to it
  double composed_loss = 0;
};

/// What counts as the same: products of a level round differently, and a sample near a kink may
/// take the other branch.
struct LockstepBounds {
  double loss, gradient;
};
LockstepBounds lockstep_bounds(SimdLevel level);

/// Trains `steps` updates with the gradients of the fused path and compares each with the composed
/// path. Returns the largest differences; `each` sees them all.
LockstepDifference run_lockstep(const TrainOptions& options, std::int64_t steps,
                                const std::function<void(const LockstepDifference&)>& each = {});

}  // namespace npq::train
