#pragma once
#include <set>
#include <vector>

namespace npq::report {

/// Where values lie in a drawing.
struct Axis {
  double low, high, from, to;  // where the values end, on the scale, and where they lie
  std::vector<double> marks;
  double (*scale)(double);
  bool doubling = false;

  double place(double value) const {
    return from + (scale(value) - low) / (high - low) * (to - from);
  }
};

/// Round values that cover [low, high], about `wanted` of them: {0, 20, 40} for 0 to 37. The last
/// one is not below `high`.
std::vector<double> ticks(double low, double high, int wanted = 5);

/// From the first mark to the last.
Axis axis(std::vector<double> marks, double from, double to);
/// By factors of two, no further than the values reach: a mark for each of them where they are few.
Axis doubling_axis(const std::set<double>& values, double from, double to);
/// For percent, which it counts by what is missing to 100: 90 to 100 takes as much room as 0 to 90.
Axis stretched_axis(double low, double high, double from, double to);

}  // namespace npq::report
