#include "npq/report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "npq/report/text.h"

namespace npq::report {
namespace {

constexpr int kColours = 8;
// The drawing and, inside it, the field of the lines. Small numbers: on a phone the drawing is
// hardly shrunk, so its letters stay readable.
constexpr double kWidth = 440, kHeight = 264;
constexpr double kLeft = 50, kRight = 414, kTop = 10, kBottom = 222;

struct Axis {
  double low, high, from, to;  // values (of a doubling axis their logarithms) and where they lie
  std::vector<double> marks;
  bool doubling = false;
  double place(double value) const {
    return from + ((doubling ? std::log2(value) : value) - low) / (high - low) * (to - from);
  }
};

Axis axis(double low, double high, double from, double to) {
  auto marks = ticks(low, high);
  return {marks.front(), marks.back(), from, to, marks};
}

/// From 1 to `high` by factors of two.
Axis doubling_axis(double high, double from, double to) {
  auto axis_of_logarithms = axis(0, std::max(1.0, std::log2(high)), from, to);
  for (auto& mark : axis_of_logarithms.marks) mark = std::exp2(mark);
  axis_of_logarithms.doubling = true;
  return axis_of_logarithms;
}

struct Range {
  double low = 0, high = 0;
  bool any = false;
  void add(double value) {
    low = any ? std::min(low, value) : value;
    high = any ? std::max(high, value) : value;
    any = true;
  }
};

std::string style_of(int colour) {
  return fmt::format("c{} d{}", colour % kColours, std::min(colour / kColours, 3));
}

std::string line_of(const Series& series, const Axis& x, const Axis& y) {
  std::string path;
  for (const auto& point : series.points)
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x.place(point.x),
                        y.place(point.y));
  if (series.points.size() == 1)
    return fmt::format("<circle class=\"dot {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>",
                       style_of(series.colour), x.place(series.points[0].x),
                       y.place(series.points[0].y));
  return fmt::format("<path class=\"line {}\" d=\"{}\"/>", style_of(series.colour), path);
}

std::string band_of(const Series& series, const Axis& x, const Axis& y) {
  const auto spreads = [](const ChartPoint& point) { return point.spread > 0; };
  if (std::none_of(series.points.begin(), series.points.end(), spreads)) return "";
  std::string path;
  const auto corner = [&](const ChartPoint& point, double value) {
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x.place(point.x),
                        std::clamp(y.place(value), kTop, kBottom));
  };
  for (const auto& point : series.points) corner(point, point.y + point.spread);
  for (auto point = series.points.rbegin(); point != series.points.rend(); ++point)
    corner(*point, point->y - point->spread);
  return fmt::format("<path class=\"band {}\" d=\"{}Z\"/>", style_of(series.colour), path);
}

std::string grid(const Chart& chart, const Axis& x, const Axis& y) {
  std::string svg;
  for (const double mark : y.marks) {
    const double at = y.place(mark);
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
        "<text class=\"tick\" text-anchor=\"end\" x=\"{}\" y=\"{:.1f}\">{}</text>",
        kLeft, kRight, at, at, kLeft - 6, at + 4, short_number(mark));
  }
  for (const double mark : x.marks)
    svg +=
        fmt::format("<text class=\"tick\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{}\">{}</text>",
                    x.place(mark), kBottom + 17, short_number(mark));
  svg += fmt::format("<line class=\"axis\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>", kLeft,
                     kRight, kBottom, kBottom);
  svg += fmt::format("<text class=\"name\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">{}</text>",
                     (kLeft + kRight) / 2, kHeight - 6, html(chart.x_label));
  return svg;
}

/// The numbers for the readout, six digits each; nothing in it can end the script element.
std::string data_of(const Chart& chart, const Axis& x) {
  auto data =
      nlohmann::json{{"left", kLeft},  {"right", kRight},    {"low", x.low},
                     {"high", x.high}, {"x", chart.x_label}, {"series", nlohmann::json::array()}};
  if (x.doubling) data["doubling"] = true;
  const auto rounded = [](double number) {
    return std::strtod(fmt::format("{:.6g}", number).c_str(), nullptr);
  };
  for (const auto& series : chart.series) {
    auto points = nlohmann::json::array();
    for (const auto& point : series.points)
      points.push_back({rounded(point.x), rounded(point.y), rounded(point.spread)});
    data["series"].push_back(
        {{"label", shown(series.label)}, {"style", style_of(series.colour)}, {"points", points}});
  }
  std::string text;
  for (const char c : data.dump()) text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return text;
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

std::string figure(const Chart& chart) {
  Range xs, ys;
  xs.add(0);
  ys.add(0);
  for (const auto& series : chart.series) {
    for (const auto& point : series.points) {
      xs.add(point.x);
      ys.add(point.y);
      ys.add(point.y + point.spread);
    }
  }
  const Axis x =
      chart.doubling ? doubling_axis(xs.high, kLeft, kRight) : axis(xs.low, xs.high, kLeft, kRight);
  const Axis y = axis(ys.low, ys.high, kBottom, kTop);
  std::string lines;
  for (const auto& series : chart.series) lines += band_of(series, x, y);
  for (const auto& series : chart.series) lines += line_of(series, x, y);
  return fmt::format(
      "<figure class=\"chart\" tabindex=\"0\">\n<figcaption>{} <span>{}</span></figcaption>\n"
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{}{}"
      "<line class=\"guide\" x1=\"0\" x2=\"0\" y1=\"{}\" y2=\"{}\" visibility=\"hidden\"/></svg>\n"
      "<script type=\"application/json\">{}</script>\n<div class=\"readout\"></div>\n</figure>\n",
      html(chart.title), html(chart.y_label), kWidth, kHeight,
      html(chart.title + " against " + chart.x_label), grid(chart, x, y), lines, kTop, kBottom,
      data_of(chart, x));
}

std::string legend_mark(int colour) {
  return fmt::format(
      "<svg class=\"mark\" viewBox=\"0 0 28 10\" aria-hidden=\"true\"><path class=\"line {}\" "
      "d=\"M1 "
      "5L27 5\"/></svg>",
      style_of(colour));
}

}  // namespace npq::report
