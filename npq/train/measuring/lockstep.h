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
  double loss = 0;         // relative; 0 at a kink
  double gradient = 0;     // of all parameters together, relative Euclidean distance; 0 at a kink
  std::string worst;       // the parameter that contributes most to it
  std::int64_t kinks = 0;  // updates near a kink, where no such distance tells anything
  double composed_loss = 0;
};

/// What counts as the same: products of a level round differently.
struct LockstepBounds {
  double loss, gradient;
};
LockstepBounds lockstep_bounds(SimdLevel level);

/// Trains `steps` updates with the gradients of the fused path and compares each with the composed
/// path. Returns the largest differences and the sum of kinks; `each` sees them all.
///
/// Where two messages of a maximum are almost equal, or a number is almost at relu's corner, the
/// gradient jumps, and the last bits decide to which side; many steps multiply it. There the
/// composed path disagrees with itself. An update out of bounds is therefore compared with
/// neighbours, too: composed gradients at weights that differ in their last two bits. It is near a
/// kink, and counts as such, if the fused loss and gradient are within bounds of a neighbour's, or
/// a neighbour's as far from the composed ones: rounding allows it, then.
LockstepDifference run_lockstep(const TrainOptions& options, std::int64_t steps,
                                const std::function<void(const LockstepDifference&)>& each = {});

}  // namespace npq::train
