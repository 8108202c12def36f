#include "npq/train/loop/parts.h"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <utility>

#include "npq/base/error.h"
#include "npq/ops/threads.h"

namespace npq::train {
namespace {

/// Smaller parts cost more than they share out: every operation takes its time, however little it
/// computes.
constexpr std::int64_t kWorthAPart = 16;

/// add(sum, term), which are places, for neighbours, then for their sums; the whole is in the first
/// place at last.
template <class Add>
void add_as_tree(std::size_t parts, const Wanted& wanted, const Add& add) {
  for (std::size_t apart = 1; apart < parts; apart *= 2)
    for (std::size_t i = 0; i + apart < parts; i += 2 * apart)
      if (wanted(i, std::min(parts, i + 2 * apart))) add(i, i + apart);
}

/// Not in place: parameters that are added up share one gradient.
void add_gradient(at::Tensor& sum, at::Tensor& term) {
  if (!term.defined()) return;
  sum = sum.defined() ? sum + term : term;
  term.reset();
}

}  // namespace

std::vector<Part> parts_of(std::int64_t samples) {
  const auto count =
      std::clamp(samples / kWorthAPart, std::min<std::int64_t>(2, samples), kMostParts);
  std::vector<Part> parts;
  for (std::int64_t k = 0; k < count; ++k) {
    const auto first = samples * k / count;
    parts.push_back({.index = k, .first = first, .size = samples * (k + 1) / count - first});
  }
  return parts;
}

std::int64_t samples_for(std::int64_t parts) { return parts <= 2 ? parts : parts * kWorthAPart; }

void add_parts(std::vector<PartSums>& parts, const Wanted& wanted) {
  NPQ_ASSERT(!parts.empty());
  ops::side_by_side(parts[0].gradients.size(), [&](std::size_t k) {
    add_as_tree(parts.size(), wanted, [&](std::size_t sum, std::size_t term) {
      add_gradient(parts[sum].gradients[k], parts[term].gradients[k]);
    });
  });
  add_as_tree(parts.size(), wanted, [&](std::size_t sum, std::size_t term) {
    for (const auto& [name, loss] : parts[term].losses) parts[sum].losses[name] += loss;
  });
}

std::vector<std::size_t> places_left(std::size_t parts, const Wanted& wanted) {
  std::vector<bool> left(parts, true);
  add_as_tree(parts, wanted, [&](std::size_t, std::size_t term) { left[term] = false; });
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < parts; ++i)
    if (left[i]) places.push_back(i);
  return places;
}

PartSums sum_of_parts(std::vector<PartSums> parts, const Wanted& wanted) {
  add_parts(parts, wanted);
  for (auto& gradient : parts[0].gradients)
    if (gradient.defined()) gradient = gradient.contiguous();
  return std::move(parts[0]);
}

PartSums sum_of_parts(std::vector<PartSums> parts) {
  return sum_of_parts(std::move(parts), [](std::size_t, std::size_t) { return true; });
}

}  // namespace npq::train
