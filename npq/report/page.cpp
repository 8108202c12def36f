#include "npq/report/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "npq/report/chart.h"
#include "npq/report/tables.h"
#include "npq/report/text.h"

namespace npq::report {
namespace {

constexpr std::string_view kHowToRead =
    "Scores are percent, of several seeds the mean ± population standard deviation. Best is the "
    "model with the highest validation score, last the one after the last step. Steps/s counts the "
    "time of validation too.";
constexpr std::string_view kPaper =
    "The paper trains 30 000 steps with three seeds (1 to 3). What was run for less is no "
    "reproduction of its numbers:";

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

/// What a chart shows of a run; nullptr where it has nothing to show.
using CurveOf = std::function<const std::vector<Point>*(const Run&)>;

struct Curves {
  std::string title, unit;
  double factor = 1;  // from the log's numbers to the page's
  CurveOf curve;
};

std::string charts_of(const std::vector<const Group*>& groups, const Curves& what,
                      bool against_time) {
  Chart by_steps{what.title, "step", what.unit, {}}, by_time{what.title, "", what.unit, {}};
  std::vector<std::vector<BandPoint>> bands;
  double longest = 0;
  for (const auto* group : groups) {
    std::vector<const std::vector<Point>*> curves;
    for (const auto* run : group->runs)
      if (const auto* curve = what.curve(*run); curve != nullptr && !curve->empty())
        curves.push_back(curve);
    bands.push_back(band_of(curves));
    for (const auto& point : bands.back()) longest = std::max(longest, point.seconds);
  }
  const auto unit = time_unit(longest);
  by_time.x_label = unit.name;
  bool any = false;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Series steps{groups[g]->label, static_cast<int>(g), {}}, time = steps;
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

std::string health_title(const std::string& name) {
  if (name == "alive") return "Memory: elements alive";
  if (name == "drained") return "Memory: share drained per step";
  if (name == "strength") return "Memory: strength left";
  if (name == "saturated") return "Memory: share of saturated values";
  return "Memory: " + name;
}

std::string section(const std::string& algorithm, const std::vector<const Group*>& groups) {
  std::vector<std::string> labels;
  for (const auto* group : groups) labels.push_back(group->label);
  std::string text = fmt::format("<h2>Learning curves: {}</h2>\n", html(algorithm));
  text += html_legend(labels) + "<div class=\"charts\">\n";
  text += charts_of(
      groups, {"Validation score", "percent", 100, [](const Run& run) { return &run.validation; }},
      /*against_time=*/true);
  text += charts_of(groups, {"Training loss", "", 1, [](const Run& run) { return &run.loss; }},
                    /*against_time=*/true);
  std::map<std::string, bool> health;
  for (const auto* group : groups)
    for (const auto* run : group->runs)
      for (const auto& [name, curve] : run->health) health[name] = true;
  for (const auto& [name, unused] : health)
    text += charts_of(groups,
                      {health_title(name), "", 1,
                       [&name = name](const Run& run) {
                         const auto found = run.health.find(name);
                         return found == run.health.end() ? nullptr : &found->second;
                       }},
                      /*against_time=*/false);
  return text + "</div>\n";
}

std::string details(const Run& run) {
  std::string text = fmt::format("<details><summary><code>{}</code></summary>\n<pre>{}</pre>\n<dl>",
                                 html(run.folder.string()), html(run.command()));
  for (const auto* part : {&run.about, &run.options})
    for (const auto& [key, value] : *part)
      text += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", html(key),
                          html(value.empty() ? "-" : value));
  return text + "</dl></details>\n";
}

/// What falls short of the paper: group and words.
std::vector<std::string> shortfalls(const std::vector<Group>& groups) {
  std::vector<std::string> all;
  for (const auto& group : groups)
    if (const auto words = shortfall(group); !words.empty())
      all.push_back(fmt::format("{}, {}: {}", group.first().algorithm, group.label, words));
  return all;
}

std::string html_list(std::string_view title, const std::vector<std::string>& items) {
  if (items.empty()) return "";
  std::string text = fmt::format("<div class=\"note\">{}<ul>", html(title));
  for (const auto& item : items) text += fmt::format("<li>{}</li>", html(item));
  return text + "</ul></div>\n";
}

}  // namespace

std::string html_begin(std::string_view title) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n",
      html(title), page_style());
}

std::string html_table(const Table& table) {
  std::string text = "<div class=\"scroll\"><table class=\"cards\"><thead><tr>";
  for (const auto& column : table.columns)
    text +=
        fmt::format("<th{}>{}</th>", column.number ? " class=\"number\"" : "", html(column.name));
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      // Short cells stay on one line; long ones may break anywhere.
      std::string style = table.columns[c].number ? "number"
                          : row[c].size() > 24    ? "wide"
                                                  : "short";
      if (table.columns[c].number && row[c].size() > 15) style += " wide";
      if (row[c].empty() || row[c] == "-") style += " empty";
      text += fmt::format("<td class=\"{}\" data-name=\"{}\">{}</td>", style,
                          html(table.columns[c].name), html(row[c]));
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string html_legend(const std::vector<std::string>& labels) {
  std::string text = "<ul class=\"legend\">";
  for (std::size_t k = 0; k < labels.size(); ++k)
    text += fmt::format("<li>{}{}</li>", legend_mark(static_cast<int>(k)), html(labels[k]));
  return text + "</ul>\n";
}

std::string html_end(std::string_view command) {
  return fmt::format(
      "<p>This page: <code>{}</code></p>\n</main>\n<script>{}</script>\n</body>\n</html>\n",
      html(command), page_script());
}

std::string html_page(const RunSet& set, const PageOptions& options) {
  const auto groups = groups_of(set.runs);
  std::string text = html_begin(options.title);
  text += fmt::format("<p class=\"soft\">{} in {}, by {}</p>\n",
                      set.runs.size() == 1 ? "1 run" : fmt::format("{} runs", set.runs.size()),
                      groups.size() == 1 ? "1 group" : fmt::format("{} groups", groups.size()),
                      html(options.made_by));
  text += html_list(kPaper, shortfalls(groups));
  text += html_list("Not all could be read:", set.problems);
  text += "<h2>Models, over seeds</h2>\n" + html_table(group_table(groups));
  text += fmt::format("<p class=\"soft\">{}</p>\n", kHowToRead);
  for (auto first = groups.begin(); first != groups.end();) {
    std::vector<const Group*> alike;
    const auto& algorithm = first->first().algorithm;
    for (; first != groups.end() && first->first().algorithm == algorithm; ++first)
      alike.push_back(&*first);
    text += section(algorithm, alike);
  }
  text +=
      "<p class=\"soft\">Lines are means over seeds, bands one standard deviation to both sides. "
      "Long curves are averaged over neighbouring points. Point at a chart, or use the arrow keys, "
      "to "
      "read its numbers.</p>\n<h2>Runs</h2>\n" +
      html_table(run_table(set.runs));
  text += "<h2>The command and configuration behind every number</h2>\n";
  for (const auto& run : set.runs) text += details(run);
  return text + html_end(options.command);
}

std::string markdown_page(const RunSet& set, const PageOptions& options) {
  const auto groups = groups_of(set.runs);
  const auto list = [](std::string_view title, const std::vector<std::string>& items) {
    if (items.empty()) return std::string();
    std::string text = fmt::format("\n{}\n\n", title);
    for (const auto& item : items) text += fmt::format("- {}\n", markdown(item));
    return text;
  };
  std::string text = fmt::format("# {}\n\n", markdown(options.title));
  text += to_markdown(group_table(groups));
  text += fmt::format("\n{}\n", kHowToRead);
  text += list(kPaper, shortfalls(groups));
  text += list("Not all could be read:", set.problems);
  text += "\n## Runs\n\n" + to_markdown(run_table(set.runs)) + "\n## Commands\n\n";
  for (const auto& run : set.runs)
    text += fmt::format("- {}: {}\n", markdown(run.folder.string()), markdown(run.command()));
  return text;
}

}  // namespace npq::report
