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

/// add(sum, term) for neighbours, then for their sums; the whole is in terms[0] at last.
template <class Terms, class Add>
void add_as_tree(Terms& terms, const Add& add) {
  for (std::size_t apart = 1; apart < terms.size(); apart *= 2)
    for (std::size_t i = 0; i + apart < terms.size(); i += 2 * apart)
      add(terms[i], terms[i + apart]);
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

PartSums sum_of_parts(std::vector<PartSums> parts) {
  NPQ_ASSERT(!parts.empty());
  const auto parameters = parts[0].gradients.size();
  std::vector<at::Tensor> gradients(parameters);
  ops::side_by_side(parameters, [&](std::size_t k) {
    std::vector<at::Tensor> terms;
    for (auto& part : parts) terms.push_back(std::move(part.gradients[k]));
    add_as_tree(terms, add_gradient);
    gradients[k] = terms[0].defined() ? terms[0].contiguous() : terms[0];
  });
  add_as_tree(parts, [](PartSums& sum, PartSums& term) {
    for (const auto& [name, loss] : term.losses) sum.losses[name] += loss;
  });
  return {std::move(parts[0].losses), std::move(gradients)};
}

}  // namespace npq::train
