#pragma once
#include <optional>
#include <span>
#include <vector>

#include "npq/report/tables/seeds.h"

namespace npq::report {

/// How a model's score differs from that of the same network without a memory.
struct Verdict {
  /// Better and Worse: zero lies outside the interval over seeds, and outside that over graphs
  /// where the scores of the single graphs are known. Open: it does not. OneDraw: one of the two
  /// has fewer than two seeds that count, so that nothing can be said.
  enum class Kind { Better, Worse, Open, OneDraw };
  Kind kind = Kind::OneDraw;
  const Group *model = nullptr, *other = nullptr;
  std::int64_t size = 0;              // of the test graphs, or kOwnTestSet
  double score = 0, other_score = 0;  // means over the seeds that count, in the metric
  std::optional<Interval> over_seeds, over_graphs;

  const Metric& metric() const { return model->first().metric(); }
  double difference() const { return score - other_score; }
};

/// The size of test graphs that most models of an algorithm were tested on, of several the largest;
/// nothing if none was tested.
std::optional<std::int64_t> common_size(std::span<const Group* const> groups);

/// A verdict for every model with a memory that has a counterpart without one (its baseline, on
/// peptides its twin), at the common size of its algorithm, by the best model. Both must be
/// finished.
std::vector<Verdict> verdicts(const std::vector<Group>& groups);

}  // namespace npq::report
