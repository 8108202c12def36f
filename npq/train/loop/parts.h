#pragma once
#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

// How the work of an update is divided, and how the results of its parts become one. Both follow
// from the size of the batch alone: threads take parts as they come, and whoever computed which,
// and when, never shows in a bit.
namespace npq::train {

/// Most parts of a batch: so many cores find work of their own.
inline constexpr std::int64_t kMostParts = 8;

/// Neighbouring samples of a batch.
struct Part {
  std::int64_t index, first, size;
};

/// All samples, in parts of nearly the same size.
std::vector<Part> parts_of(std::int64_t samples);
/// The fewest samples that make so many parts.
std::int64_t samples_for(std::int64_t parts);

/// What a part adds to a batch's loss and gradients.
struct PartSums {
  std::map<std::string, double> losses;  // by name: "output/pi", "hint/d"
  std::vector<at::Tensor> gradients;     // of all parameters; undefined where it has none
};

/// Neighbours are added, then sums of neighbours, up to the root: ((0+1)+(2+3))+((4+5)+(6+7)).
PartSums sum_of_parts(std::vector<PartSums> parts);

/// Of those additions the ones that `wanted` names by the parts in their sum, from `first` to
/// `end` - 1. The sum is left in the place of its first part.
using Wanted = std::function<bool(std::size_t first, std::size_t end)>;
void add_parts(std::vector<PartSums>& parts, const Wanted& wanted);
PartSums sum_of_parts(std::vector<PartSums> parts, const Wanted& wanted);
/// The parts whose place has a sum to be added further, after those additions.
std::vector<std::size_t> places_left(std::size_t parts, const Wanted& wanted);

}  // namespace npq::train
