#include "npq/report/charts/axis.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace npq::report {
namespace {

double straight(double value) { return value; }
double by_factors(double value) { return std::log2(value); }
/// Percent by what is missing to 100: from 90 to 100 as much room as from 0 to 90.
double towards_100(double percent) { return -std::log2(101 - std::min(percent, 100.0)); }

Axis scaled(std::vector<double> marks, double from, double to, double (*scale)(double)) {
  const double low = scale(marks.front()), high = scale(marks.back());
  return {low, high, from, to, std::move(marks), scale};
}

}  // namespace

std::vector<double> ticks(double low, double high, int wanted) {
  if (!(high > low)) high = low + std::max(std::abs(low), 1.0);
  const double raw = (high - low) / wanted;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw * 0.999999) {
      step = factor * power;
      break;
    }
  }
  const double first = std::floor(low / step + 1e-9), last = std::ceil(high / step - 1e-9);
  std::vector<double> marks;
  for (double k = first; k <= last && marks.size() < 50; ++k) marks.push_back(k * step);
  if (marks.size() < 2) return {low, high};  // the step is lost in the digits of large numbers
  return marks;
}

Axis axis(std::vector<double> marks, double from, double to) {
  return scaled(std::move(marks), from, to, straight);
}

Axis doubling_axis(const std::set<double>& values, double from, double to) {
  constexpr std::size_t kFew = 10;
  std::vector<double> marks(values.begin(), values.end());
  if (marks.size() > kFew) {
    const double last = marks.back();
    marks.resize(1);
    while (marks.back() * 2 < last) marks.push_back(marks.back() * 2);
    marks.push_back(last);
  }
  if (marks.size() < 2) marks = {marks.empty() ? 1 : marks[0], marks.empty() ? 2 : marks[0] * 2};
  auto result = scaled(std::move(marks), from, to, by_factors);
  result.doubling = true;
  return result;
}

Axis stretched_axis(double low, double high, double from, double to) {
  constexpr std::array kMarks = {0.0, 50.0, 80.0, 90.0, 95.0, 98.0, 99.0, 100.0};
  std::vector<double> marks(kMarks.begin(), kMarks.end());
  while (marks.size() > 2 && marks[1] <= low) marks.erase(marks.begin());
  while (marks.size() > 2 && marks[marks.size() - 2] >= high) marks.pop_back();
  return scaled(std::move(marks), from, to, towards_100);
}

}  // namespace npq::report
