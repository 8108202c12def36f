#pragma once
#include <optional>
#include <span>
#include <vector>

#include "npq/report/tables.h"

namespace npq::report {

/// How much better one model is than another on the same samples, seeds averaged: the mean of the
/// differences sample by sample, and the 95% interval that chance in the choice of samples leaves.
struct PairedDifference {
  double mean = 0, low = 0, high = 0;
  int better = 0, worse = 0;  // samples
  int samples = 0, seeds = 0, other_seeds = 0;
};

/// `scores` and `others`: one list per seed, one score per sample. Nothing where a list is empty or
/// of another length: then they are not of the same samples. Percentile bootstrap, 1000 resamples
/// drawn with a fixed seed.
std::optional<PairedDifference> paired_difference(std::span<const std::vector<double>> scores,
                                                  std::span<const std::vector<double>> others);

/// Every model against the one without memory of the same algorithm and processor, for each test
/// set that both have.
Table paired_table(const std::vector<Group>& groups);

/// The model that others are compared with: that of the method "Baseline", else the first without a
/// memory; nullptr where there is none.
const Group* baseline_of(const std::vector<Group>& groups, const Group& of);

}  // namespace npq::report
