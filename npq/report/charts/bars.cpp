#include "npq/report/charts/bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "npq/report/charts/axis.h"
#include "npq/report/pages/embedded.h"
#include "npq/report/pages/page.h"
#include "npq/report/pages/text.h"
#include "npq/report/tables/health.h"
#include "npq/report/tables/paired.h"

namespace npq::report {
namespace {

// Behind kBarsRight there is room for "100.00 ± 10.00".
constexpr double kBarsWidth = 440, kBarsLeft = 8, kBarsRight = 332, kBar = 13, kGap = 10,
                 kLabel = 17, kDot = 2.5;

std::string bar(const Statistic& score, const std::string& style, double y, const Axis& x) {
  const double end = x.place(score.mean), middle = y + kBar / 2 - 1;
  std::string svg = fmt::format("<rect {} x=\"{}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\"/>",
                                style, kBarsLeft, y, end - kBarsLeft, kBar - 2);
  std::string text = percent(score.mean);
  double right = end;
  if (score.count > 1) {
    const double left = x.place(std::max(0.0, score.mean - score.deviation));
    right = x.place(std::min(1.0, score.mean + score.deviation));
    svg += fmt::format(
        "<line class=\"whisker\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", left,
        right, middle, middle);
    text += " ± " + percent(score.deviation);
  } else {
    text += ", one draw";
  }
  for (const double value : score.values) {
    const double at = x.place(value);
    right = std::max(right, at + kDot);
    svg += fmt::format("<circle class=\"draw\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>", at, middle,
                       kDot);
  }
  return svg + fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", right + 5,
                           middle + 4, text);
}

std::optional<Statistic> score_of(const Group& group, std::int64_t size,
                                  const char* checkpoint = "best") {
  const auto score = group.over([&](const Run& run) { return run.test(size, checkpoint); });
  return score.count > 0 ? std::optional(score) : std::nullopt;
}

std::set<std::int64_t> sizes_of(const Group& group) {
  std::set<std::int64_t> sizes;
  for (const auto* run : group.runs)
    for (const auto& test : run->tests)
      if (test.checkpoint == "best") sizes.insert(test.size);
  return sizes;
}

struct Drawn {
  std::string svg;
  double bottom;
};

std::string style_of(const BarChart& chart, const BarRow& row, std::size_t bar) {
  constexpr int kColours = 20;
  const auto& colours = row.colours;
  const int colour = colours.empty() ? 0 : colours[std::min(bar, colours.size() - 1)];
  constexpr const char* kShades[] = {"\"", " pale\"", "\" opacity=\".25\""};
  return fmt::format("class=\"bar c{}{}", colour % kColours,
                     kShades[chart.models_of_runs ? bar : 0]);
}

Axis axis_of(const BarChart& chart) {
  double highest = 1e-9;
  for (const auto& row : chart.rows) {
    for (const auto& score : row.bars) {
      if (!score) continue;
      highest = std::max(highest, score->mean + score->deviation);
      for (const double value : score->values) highest = std::max(highest, value);
    }
  }
  return axis(ticks(0, std::min(highest, 1.0)), kBarsLeft, kBarsRight);
}

/// Lines from `top` to `bottom` at round values, and below them the values in percent.
std::string grid_of(const Axis& x, double top, double bottom) {
  std::string svg;
  for (const double mark : x.marks)
    svg += fmt::format(
        "<line class=\"{}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
        "<text class=\"tick\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
        mark == 0 ? "axis" : "grid", x.place(mark), x.place(mark), top, bottom, x.place(mark),
        bottom + 14, short_number(mark * 100));
  return svg;
}

Drawn rows_of(const BarChart& chart, double y) {
  const auto x = axis_of(chart);
  const double top = y;
  std::string svg;
  for (const auto& row : chart.rows) {
    const auto remark = row.remark.empty()
                            ? ""
                            : fmt::format("<tspan class=\"remark\">, {}</tspan>", html(row.remark));
    svg += fmt::format("<text class=\"name\" x=\"{}\" y=\"{:.1f}\">{}{}</text>", kBarsLeft + 3,
                       y + 11, html(row.label), remark);
    y += kLabel;
    for (std::size_t b = 0; b < row.bars.size(); ++b) {
      if (!row.bars[b]) continue;
      svg += bar(*row.bars[b], style_of(chart, row, b), y, x);
      y += kBar;
    }
    y += kGap;
  }
  return {grid_of(x, top, y) + svg, y + 20};
}

std::string remark_of(const Group& group) {
  return drained_in_every_step(group) ? "drained in every step" : "";
}

bool is_queue(const Group& group) { return group.first().memory.starts_with("npq_"); }

}  // namespace

std::string bar_figure(const BarChart& chart) {
  if (chart.rows.empty()) return "";
  const auto drawn = rows_of(chart, 4);
  return fmt::format(
      "<figure class=\"bars\">\n<figcaption>{} <span>{}</span></figcaption>\n<svg viewBox=\"0 0 "
      "{} {:.0f}\" role=\"img\" aria-label=\"{}\">{}</svg>\n</figure>\n",
      html(chart.title), html(chart.unit), kBarsWidth, drawn.bottom, html(chart.title), drawn.svg);
}

std::string bar_picture(const std::vector<BarChart>& charts) {
  const auto is_empty = [](const BarChart& chart) { return chart.rows.empty(); };
  if (std::all_of(charts.begin(), charts.end(), is_empty)) return "";
  std::string svg;
  double y = 8;
  for (const auto& chart : charts) {
    if (chart.rows.empty()) continue;
    svg += fmt::format("<text class=\"title\" x=\"{}\" y=\"{:.1f}\">{}</text>\n", kBarsLeft, y + 14,
                       html(chart.title));
    svg += fmt::format("<text class=\"name\" x=\"{}\" y=\"{:.1f}\">{}</text>\n", kBarsLeft, y + 31,
                       html(chart.unit));
    const auto drawn = rows_of(chart, y + 44);
    svg += drawn.svg + "\n";
    y = drawn.bottom + 8;
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1:.0f}\" width=\"{2}\" "
      "height=\"{3:.0f}\">\n<style>{4}\nsvg {{ background: var(--ground); font-family: system-ui, "
      "\"DejaVu Sans\", sans-serif; }}\n.title {{ fill: var(--ink); font-size: 14px; font-weight: "
      "600; }}</style>\n{5}</svg>\n",
      kBarsWidth, y, kBarsWidth * 1.5, y * 1.5, bar_style(), svg);
}

BarChart queue_against_baseline(const std::vector<Group>& groups) {
  std::map<std::int64_t, int> popular;
  for (const auto& group : groups)
    for (const auto size : sizes_of(group)) ++popular[size];
  BarChart chart{.title = "Best queue against baseline",
                 .unit = "percent, above the baseline, below the queue; largest gain first",
                 .rows = {}};
  if (popular.empty()) return chart;
  const auto size =
      std::max_element(popular.begin(), popular.end(), [](const auto& a, const auto& b) {
        return a.second < b.second || (a.second == b.second && a.first < b.first);
      })->first;
  chart.title += fmt::format(", {} nodes", size);
  // The best of the queues with the most seeds: one lucky seed must not stand for a model.
  struct Task {
    const Group *baseline = nullptr, *queue = nullptr;
    int of = 0;  // so many queues with as many seeds
  };
  std::map<std::string, Task> tasks;
  for (const auto& group : groups) {
    const auto score = score_of(group, size);
    const auto* baseline = baseline_of(groups, group);
    if (!is_queue(group) || !score || baseline == nullptr || !score_of(*baseline, size)) continue;
    auto& task = tasks[group.first().algorithm + ", " + group.first().processor];
    const auto best = task.queue == nullptr ? Statistic{} : *score_of(*task.queue, size);
    if (score->count < best.count) continue;
    const int others = score->count == best.count ? task.of : 0;
    if (score->count > best.count || score->mean > best.mean) task = {baseline, &group, 0};
    task.of = others + 1;
  }
  for (const auto& [name, task] : tasks)
    chart.rows.push_back(
        {fmt::format("{}: {}{}", name, task.queue->first().method(),
                     task.of > 1 ? fmt::format(", best of {}", task.of) : std::string()),
         {score_of(*task.baseline, size), score_of(*task.queue, size)},
         {task.baseline->colour, task.queue->colour},
         remark_of(*task.queue)});
  std::stable_sort(chart.rows.begin(), chart.rows.end(), [](const BarRow& a, const BarRow& b) {
    return a.bars[1]->mean - a.bars[0]->mean > b.bars[1]->mean - b.bars[0]->mean;
  });
  return chart;
}

BarChart models_at_largest_size(const std::vector<const Group*>& groups) {
  BarChart chart{.title = "Test score", .unit = "percent", .rows = {}};
  std::map<std::int64_t, std::size_t> having;
  for (const auto* group : groups)
    for (const auto size : sizes_of(*group)) ++having[size];
  std::int64_t largest = 0;
  for (const auto& [size, count] : having)
    if (count == groups.size()) largest = size;
  if (largest == 0) return chart;
  bool any_last = false, any_average = false;
  for (const auto* group : groups) {
    const auto last = score_of(*group, largest, "last"),
               average = score_of(*group, largest, "average");
    any_last = any_last || last;
    any_average = any_average || average;
    chart.rows.push_back({group->label,
                          {score_of(*group, largest), last, average},
                          {group->colour},
                          remark_of(*group)});
  }
  chart.models_of_runs = any_last || any_average;
  chart.title += fmt::format(", {} nodes", largest);
  chart.unit = fmt::format("percent; best model{}{}", any_last ? ", pale: last" : "",
                           any_average ? ", paler: average" : "");
  return chart;
}

std::vector<BarChart> models_of_algorithms(const std::vector<Group>& groups) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<const Group*>> of;
  for (const auto& group : groups) {
    const auto& algorithm = group.first().algorithm;
    if (!of.contains(algorithm)) order.push_back(algorithm);
    of[algorithm].push_back(&group);
  }
  std::vector<BarChart> charts;
  for (const auto& algorithm : order) {
    auto chart = models_at_largest_size(of[algorithm]);
    chart.title = algorithm + ": " + chart.title;
    charts.push_back(std::move(chart));
  }
  return charts;
}

}  // namespace npq::report
