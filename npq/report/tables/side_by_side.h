#pragma once
#include <string>
#include <vector>

#include "npq/report/run.h"
#include "npq/report/tables/tables.h"

// A few runs side by side: their differences and their results.
namespace npq::report {

struct SideBySide {
  Table runs;     // A, B, ...: folder, what it is
  Table options;  // those that differ
  Table scores;
  /// How much better each run is than the first on the same test graphs, with its 95% interval over
  /// graphs; a row for every test whose scores both have graph by graph.
  Table graphs;
  std::vector<std::string> curves;  // validation, a line of block characters for each run
  std::string curves_axis;          // what they show
};

/// Of at least two runs; the first is what the others are compared with. A curve is so many
/// characters wide at most.
inline constexpr int kWidestCurve = 40;
SideBySide side_by_side(const std::vector<Run>& runs, int curve_width = kWidestCurve);

/// The same as a page, with curves as a chart. `command` is what made it.
std::string side_by_side_page(const SideBySide& sides, const std::vector<Run>& runs,
                              const std::string& command);

}  // namespace npq::report
