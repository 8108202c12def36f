#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "npq/report/groups.h"

namespace npq::report {

/// Where 95 of 100 such intervals hold what is measured.
struct Interval {
  double low = 0, high = 0;
  bool is_above_zero() const { return low > 0; }
  bool is_below_zero() const { return high < 0; }
};

/// The interval of the mean of some differences, one per seed, by Student's t: of three seeds it is
/// 4.3 standard errors to both sides. Nothing of fewer than two, since one draw has no spread.
std::optional<Interval> interval_over_seeds(std::span<const double> differences);

/// How the scores of two models on one test set differ over seeds. Where they share seeds only
/// those count, seed by seed, since these saw the same training data; where they share none, the
/// means over all seeds of each are compared (Welch's t).
struct SeedDifference {
  Statistic score, other_score;                  // over the seeds that count, in the metric
  std::optional<Interval> interval;              // nothing where one of the two is one draw
  std::vector<std::int64_t> seeds, other_seeds;  // those that count; what has no seed is 0

  double mean() const { return score.mean - other_score.mean; }
  /// "5", "2 against 3".
  std::string seeds_text() const;
};
/// Nothing if one of the two has no such test.
std::optional<SeedDifference> seed_difference(const Group& model, const Group& other,
                                              const TestKey& key);

/// A difference of scores in points, "+1.25", and an interval of them, which stays on one line.
std::string points(double difference);
std::string points(const Interval& interval);

/// Follows the number of seeds of a model: one seed is one draw, not a ranking.
inline std::string draw_mark(std::size_t seeds) { return seeds == 1 ? " (one draw)" : ""; }

}  // namespace npq::report
