#pragma once
#include <string>
#include <vector>

#include "npq/report/groups.h"

namespace npq::report {

/// A row of bars; a place without a value has none.
struct BarRow {
  std::string label;
  std::vector<std::optional<Statistic>> bars;  // shares, 0 to 1; what they are of becomes dots
  std::vector<int> colours = {};               // one per bar; the last holds for those behind it
  std::string remark = {};                     // beside the label: what the bars do not show
};
struct BarChart {
  std::string title, unit;
  std::vector<BarRow> rows;
  bool models_of_runs = false;  // the bars of a row are best, last (pale) and average (paler)
};

/// The chart as a <figure>: lying bars above an axis, with their numbers, a dot for every seed and
/// a line of one standard deviation to both sides; what has one seed is called one draw. It needs
/// no script.
std::string bar_figure(const BarChart& chart);
/// Charts below each other as an SVG file; empty without bars.
std::string bar_picture(const std::vector<BarChart>& charts);

/// The best queue against the baseline, algorithm by algorithm, largest gain first, as in the
/// paper's figure: of the queues with the most seeds, for the size that most of them have. No rows
/// where no algorithm has both.
BarChart queue_against_baseline(const std::vector<Group>& groups);

/// All models of one algorithm at the largest size that all of them have, best, last and average;
/// no rows where there is no such size.
BarChart models_at_largest_size(const std::vector<const Group*>& groups);
/// One such chart for every algorithm.
std::vector<BarChart> models_of_algorithms(const std::vector<Group>& groups);

}  // namespace npq::report
