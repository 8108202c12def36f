#pragma once
#include <compare>
#include <functional>
#include <set>
#include <span>

#include "npq/report/run_set.h"

namespace npq::report {

/// Mean and population standard deviation (divided by n, as in the paper's tables).
struct Statistic {
  double mean = 0, deviation = 0;
  int count = 0;
  std::vector<double> values = {};  // what it is of; empty for numbers that were printed
};
Statistic statistic(std::span<const double> values);
/// "56.45 ± 1.20", in percent; a single run has no spread, and none is "-".
std::string spread(const Statistic& share);
/// The one in the middle, or the mean of the two; 0 of none.
double median_of(std::vector<double> values);

/// Which test of a run: on what size, and of which model.
struct TestKey {
  std::int64_t size;
  std::string checkpoint;
  bool operator==(const TestKey&) const = default;
  /// By size; then best, last, average.
  std::strong_ordering operator<=>(const TestKey& other) const;
};

/// Those that any of the runs has.
std::set<TestKey> tests_of(const std::vector<Run>& runs);

/// Runs that differ in nothing but their seed.
struct Group {
  std::string label;  // "MPNN + NPQ_W", with the options by which it differs from its like
  std::vector<const Run*> runs;
  int colour = 0;  // in charts: groups of one name have the same all over a page

  const Run& first() const { return *runs.front(); }
  /// Over the runs that have such a figure.
  Statistic over(const std::function<std::optional<double>(const Run&)>& figure) const;
  std::set<TestKey> tests() const;
  /// Of times, which one busy machine would spoil the mean of; 0 if no run has the figure.
  double median(const std::function<std::optional<double>(const Run&)>& figure) const;
};

/// In the order of the runs, which must outlive the groups.
std::vector<Group> groups_of(const std::vector<Run>& runs);

/// A point of a group's curve: the mean over seeds at one step, and how far they spread.
struct BandPoint {
  double step = 0, seconds = 0, mean = 0, deviation = 0;
};
/// The curves of several runs as one. With more than `most` points neighbours are averaged.
std::vector<BandPoint> band_of(std::span<const std::vector<Point>* const> curves, int most = 300);

/// The paper's protocol.
constexpr std::int64_t kPaperSteps = 30000;
constexpr std::int64_t kPaperEpochs = 500;  // of what is counted in them
inline std::int64_t paper_length(const RunKind& kind) {
  return kind.counts_steps() ? kPaperSteps : kPaperEpochs;
}
constexpr int kPaperSeeds = 3;

/// By how much the runs fall short of the paper's protocol, in words; empty if they do not.
std::string shortfall(const Group& group);

/// "NPQ_W-P-SV" for npq_w_p_sv, "Baseline" for none: the paper's names. Ours alike:
/// "NPQ_W plus" for npq_w_plus.
std::string paper_name(const std::string& memory);

}  // namespace npq::report
