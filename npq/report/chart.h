#pragma once
#include <string>
#include <vector>

namespace npq::report {

/// A point of a line and how far it spreads to both sides.
struct ChartPoint {
  double x = 0, y = 0, spread = 0;
};
struct Series {
  std::string label;
  int colour = 0;  // 0, 1, ...: colours repeat, then lines are dashed
  std::vector<ChartPoint> points;
};
struct Chart {
  std::string title, x_label, y_label;
  std::vector<Series> series;
  bool doubling = false;  // x runs 1, 2, 4, ...: equal factors take equal room
};

/// Round values that cover [low, high], about `wanted` of them: {0, 20, 40} for 0 to 37. The last
/// one is not below `high`.
std::vector<double> ticks(double low, double high, int wanted = 5);

/// The chart as a <figure>: an SVG that needs no script, and its numbers for the page's readout.
std::string figure(const Chart& chart);

/// The colour and dashes of a series, as a short line for a legend.
std::string legend_mark(int colour);

}  // namespace npq::report
