#include "npq/report/charts/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "npq/report/charts/axis.h"
#include "npq/report/pages/text.h"

namespace npq::report {
namespace {

constexpr int kColours = 20, kPlainLines = 8;
// The drawing and, inside it, the field of the lines. Small numbers: on a phone the drawing is
// hardly shrunk, so its letters stay readable.
constexpr double kWidth = 440, kHeight = 264;
constexpr double kLeft = 50, kRight = 414, kTop = 10, kBottom = 222;

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
  return fmt::format("c{} d{}", colour % kColours, colour / kPlainLines % 4);
}

/// Which lines look the same: for each the first like it.
std::vector<std::size_t> alike(const std::vector<Series>& series, const Axis& y) {
  constexpr double kSeen = 1.5;  // of the drawing
  const auto same = [&](const Series& a, const Series& b) {
    return std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(),
                      [&](const ChartPoint& one, const ChartPoint& other) {
                        return one.x == other.x &&
                               std::abs(y.place(one.y) - y.place(other.y)) < kSeen;
                      });
  };
  std::vector<std::size_t> first(series.size());
  for (std::size_t s = 0; s < series.size(); ++s) {
    first[s] = s;
    if (series[s].points.size() < 2) continue;
    for (std::size_t other = 0; other < s && first[s] == s; ++other)
      if (first[other] == other && same(series[s], series[other])) first[s] = other;
  }
  return first;
}

/// The dashes of line `index` of `count` identical lines, so that each shows in turn.
std::string stripes(std::size_t index, std::size_t count) {
  if (count < 2) return "";
  const std::size_t dash = std::max<std::size_t>(4, 24 / count);
  return fmt::format(
      " style=\"stroke-dasharray:{0} {1};stroke-dashoffset:-{2};stroke-linecap:butt\"", dash,
      dash * (count - 1), dash * index);
}

std::string line_of(const Series& series, const Axis& x, const Axis& y, const std::string& dashes) {
  std::string path;
  for (const auto& point : series.points)
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x.place(point.x),
                        y.place(point.y));
  if (series.points.size() == 1)
    return fmt::format("<circle class=\"dot {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>",
                       style_of(series.colour), x.place(series.points[0].x),
                       y.place(series.points[0].y));
  return fmt::format("<path class=\"line {}\"{} d=\"{}\"/>", style_of(series.colour), dashes, path);
}

std::string draws_of(const Series& series, const Axis& x, const Axis& y) {
  std::string dots;
  for (const auto& point : series.points)
    for (const double draw : point.draws)
      dots += fmt::format("<circle class=\"draw {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>",
                          style_of(series.colour), x.place(point.x), y.place(draw));
  return dots;
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

Axis x_axis(const Chart& chart) {
  std::set<double> values;
  for (const auto& series : chart.series)
    for (const auto& point : series.points) values.insert(point.x);
  if (chart.doubling) return doubling_axis(values, kLeft, kRight);
  Range range;
  range.add(0);
  for (const double value : values) range.add(value);
  return axis(ticks(range.low, range.high), kLeft, kRight);
}

Axis y_axis(const Chart& chart) {
  Range range;
  bool below_zero = false;
  if (chart.from_zero) range.add(0);
  for (const auto& series : chart.series) {
    for (const auto& point : series.points) {
      below_zero = below_zero || point.y < 0;
      range.add(point.y);
      range.add(point.y + point.spread);
      if (!chart.from_zero) range.add(point.y - point.spread);
      for (const double draw : point.draws) range.add(draw);
    }
  }
  if (!below_zero) range.low = std::max(range.low, 0.0);  // whatever the spread
  if (chart.most) range.high = std::min(range.high, *chart.most);
  if (chart.stretched) return stretched_axis(range.low, range.high, kBottom, kTop);
  return axis(ticks(range.low, range.high), kBottom, kTop);
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

std::string figure(const Chart& chart) {
  const Axis x = x_axis(chart), y = y_axis(chart);
  const auto first = alike(chart.series, y);
  std::string bands, lines, together;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const auto& series = chart.series[s];
    const auto before =
        std::count(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(s), first[s]);
    const auto count = std::count(first.begin(), first.end(), first[s]);
    bands += band_of(series, x, y);
    lines += line_of(series, x, y,
                     stripes(static_cast<std::size_t>(before), static_cast<std::size_t>(count)));
    if (first[s] != s || count < 2) continue;
    std::vector<std::string> names;
    for (std::size_t other = s; other < first.size(); ++other)
      if (first[other] == s) names.push_back(chart.series[other].label);
    together += fmt::format("<p class=\"together\">On one line, in stripes: {}.</p>\n",
                            html(listed(names)));
  }
  for (const auto& series : chart.series) lines += draws_of(series, x, y);
  return fmt::format(
      "<figure class=\"chart\" tabindex=\"0\">\n<figcaption>{} <span>{}</span></figcaption>\n"
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{}{}"
      "<line class=\"guide\" x1=\"0\" x2=\"0\" y1=\"{}\" y2=\"{}\" "
      "visibility=\"hidden\"/></svg>\n{}"
      "<script type=\"application/json\">{}</script>\n<div class=\"readout\"></div>\n</figure>\n",
      html(chart.title), html(chart.y_label), kWidth, kHeight,
      html(chart.title + " against " + chart.x_label), grid(chart, x, y), bands + lines, kTop,
      kBottom, together, data_of(chart, x));
}

std::string legend_mark(int colour) {
  return fmt::format(
      "<svg class=\"mark\" viewBox=\"0 0 28 10\" aria-hidden=\"true\"><path class=\"line {}\" "
      "d=\"M1 "
      "5L27 5\"/></svg>",
      style_of(colour));
}

}  // namespace npq::report
