#include "npq/peptides/dataset.h"

#include <cmath>

#include "npq/base/error.h"
#include "npq/peptides/targets.h"

namespace npq::peptides {

std::int64_t Dataset::nodes() const {
  std::int64_t sum = 0;
  for (const auto& graph : graphs) sum += graph.nodes();
  return sum;
}

std::int64_t Dataset::edges() const {
  std::int64_t sum = 0;
  for (const auto& graph : graphs) sum += static_cast<std::int64_t>(graph.edges.size());
  return sum;
}

Targets Dataset::standardised(std::size_t graph) const {
  Targets y;
  for (int k = 0; k < kTargets; ++k) y[k] = (targets[graph][k] - mean[k]) / deviation[k];
  return y;
}

void standardise(Dataset& dataset, const std::string& source) {
  const auto rows = static_cast<double>(dataset.targets.size());
  if (dataset.targets.size() < 2)
    throw Error("'{}' has {} molecules; at least 2 are needed to standardise targets", source,
                dataset.targets.size());
  for (int k = 0; k < kTargets; ++k) {
    double sum = 0, squares = 0;
    for (const auto& row : dataset.targets) sum += row[k];
    const double mean = sum / rows;
    for (const auto& row : dataset.targets) squares += (row[k] - mean) * (row[k] - mean);
    dataset.mean[k] = mean;
    dataset.deviation[k] = std::sqrt(squares / (rows - 1));
    if (!(dataset.deviation[k] > 0) || !std::isfinite(dataset.deviation[k]))
      throw Error("'{}': column '{}' has the same number in all rows, so it cannot be standardised",
                  source, kTargetNames[k]);
  }
}

}  // namespace npq::peptides
