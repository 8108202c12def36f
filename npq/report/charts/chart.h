#pragma once
#include <optional>
#include <string>
#include <vector>

namespace npq::report {

/// A point of a line, how far it spreads to both sides, and the draws it is the mean of, each of
/// which becomes a dot.
struct ChartPoint {
  double x = 0, y = 0, spread = 0;
  std::vector<double> draws = {};
};
struct Series {
  std::string label;
  int colour = 0;  // 0, 1, ...: after twenty they repeat; from the ninth on lines are dashed too
  std::vector<ChartPoint> points;
};
struct Chart {
  std::string title, x_label, y_label;
  std::vector<Series> series;
  bool doubling = false;       // x runs 64, 128, 256: equal factors take equal room
  bool from_zero = true;       // y begins at 0, else where the data do
  bool stretched = false;      // y is percent, and 90 to 100 takes half of the room
  std::optional<double> most;  // what no value exceeds: the axis ends there, whatever the spread
};

/// The chart as a <figure>: an SVG that needs no script, and its numbers for the page's readout.
/// Identical lines become one striped line, with their names below.
std::string figure(const Chart& chart);

/// The colour and dashes of a series, as a short line for a legend.
std::string legend_mark(int colour);

}  // namespace npq::report
