#include "npq/report/charts/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "npq/report/charts/bars.h"
#include "npq/report/charts/chart.h"
#include "npq/report/pages/page.h"
#include "npq/report/pages/text.h"
#include "npq/report/tables/health.h"

namespace npq::report {
namespace {

/// Seconds, minutes or hours, whichever reads best up to `longest` seconds.
struct TimeUnit {
  const char* name;
  double seconds;
};
TimeUnit time_unit(double longest) {
  if (longest < 600) return {"seconds", 1};
  if (longest < 3 * 3600) return {"minutes", 60};
  return {"hours", 3600};
}

/// What a chart shows of a run; nullptr if it has nothing to show.
using CurveOf = std::function<const std::vector<Point>*(const Run&)>;

struct Curves {
  std::string title, unit;
  double factor = 1;  // from the log's numbers to the page's
  CurveOf curve;
  bool from_zero = true;
  std::optional<double> most = {};  // on the page
};

std::string charts_of(const std::vector<const Group*>& groups, const Curves& what,
                      bool against_time) {
  Chart by_steps{.title = what.title,
                 .x_label = "step",
                 .y_label = what.unit,
                 .series = {},
                 .from_zero = what.from_zero,
                 .most = what.most};
  std::vector<std::vector<BandPoint>> bands;
  double longest = 0, highest = 0;
  for (const auto* group : groups) {
    std::vector<const std::vector<Point>*> curves;
    for (const auto* run : group->runs)
      if (const auto* curve = what.curve(*run); curve != nullptr && !curve->empty())
        curves.push_back(curve);
    bands.push_back(band_of(curves));
    for (const auto& point : bands.back()) {
      longest = std::max(longest, point.seconds);
      highest = std::max(highest, point.mean * what.factor);
    }
  }
  // Curves of percent that come close to 100 are told apart there or nowhere.
  by_steps.stretched = what.most == 100.0 && highest > 90;
  if (by_steps.stretched) by_steps.y_label += ", stretched towards 100";
  const auto unit = time_unit(longest);
  auto by_time = by_steps;
  by_time.x_label = unit.name;
  bool any = false;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Series steps{groups[g]->label, groups[g]->colour, {}};
    Series time{groups[g]->label, groups[g]->colour, {}};
    for (const auto& point : bands[g]) {
      const double y = point.mean * what.factor, spread = point.deviation * what.factor;
      steps.points.push_back({point.step, y, spread});
      time.points.push_back({point.seconds / unit.seconds, y, spread});
    }
    any = any || !bands[g].empty();
    by_steps.series.push_back(std::move(steps));
    by_time.series.push_back(std::move(time));
  }
  if (!any) return "";
  return figure(by_steps) + (against_time ? figure(by_time) : "");
}

/// Test scores of the best (or average) models as lines over the sizes of the graphs; nothing with
/// one size.
std::string score_against_size(const std::vector<const Group*>& groups, const char* model) {
  Chart chart{.title = fmt::format("Test score, {} model", model),
              .x_label = "nodes, by factors of two",
              .y_label = "percent; dots: seeds",
              .series = {},
              .doubling = true,
              .from_zero = false,
              .most = 100};
  std::set<std::int64_t> sizes;
  for (const auto* group : groups) {
    Series series{group->label, group->colour, {}};
    std::set<std::int64_t> own;
    for (const auto* run : group->runs)
      for (const auto& test : run->tests)
        if (test.checkpoint == model) own.insert(test.size);
    for (const auto size : own) {
      const auto score = group->over([&](const Run& run) { return run.test(size, model); });
      series.points.push_back(
          {static_cast<double>(size), score.mean * 100, score.deviation * 100, {}});
      for (const double draw : score.values) series.points.back().draws.push_back(draw * 100);
    }
    sizes.insert(own.begin(), own.end());
    chart.series.push_back(std::move(series));
  }
  return sizes.size() < 2 ? "" : figure(chart);
}

std::string legend_of(const std::vector<const Group*>& groups) {
  std::vector<Series> names;
  names.reserve(groups.size());
  for (const auto* group : groups) names.push_back({group->label, group->colour, {}});
  return html_legend(names);
}

/// Loss, and how the memory is doing.
std::string inner_curves(const std::vector<const Group*>& groups) {
  auto text = charts_of(groups, {"Training loss", "", 1, [](const Run& run) { return &run.loss; }},
                        /*against_time=*/true);
  std::map<std::string, bool> health;
  for (const auto* group : groups)
    for (const auto* run : group->runs)
      for (const auto& [name, curve] : run->health) health[name] = true;
  for (const auto& [name, unused] : health)
    text += charts_of(groups,
                      {"Memory: " + health_name(name), "", 1,
                       [&name = name](const Run& run) {
                         const auto found = run.health.find(name);
                         return found == run.health.end() ? nullptr : &found->second;
                       },
                       true, is_share(name) ? std::optional(1.0) : std::nullopt},
                      /*against_time=*/false);
  return text;
}

const std::vector<Point>* validation_of(const Run& run) { return &run.validation; }

}  // namespace

std::string curves_section(const std::string& algorithm, const std::vector<const Group*>& groups) {
  return fmt::format("<h2>{}</h2>\n", html(algorithm)) + legend_of(groups) +
         "<div class=\"charts\">\n" + bar_figure(models_at_largest_size(groups)) +
         score_against_size(groups, "best") + score_against_size(groups, "average") +
         charts_of(groups, {"Validation score", "percent", 100, validation_of, false, 100},
                   /*against_time=*/true) +
         inner_curves(groups) + "</div>\n";
}

std::string peptides_curves(const std::vector<const Group*>& groups) {
  return legend_of(groups) + "<div class=\"charts\">\n" +
         charts_of(groups,
                   {"Validation error", "standard deviations of a target", 1, validation_of, false},
                   /*against_time=*/true) +
         inner_curves(groups) + "</div>\n";
}

}  // namespace npq::report
