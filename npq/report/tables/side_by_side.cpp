#include "npq/report/tables/side_by_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "npq/report/pages/page.h"
#include "npq/report/pages/text.h"
#include "npq/report/tables/conclusion.h"
#include "npq/report/tables/paired.h"

namespace npq::report {
namespace {

/// A, B, ..., Z, 27, 28, ...
std::string letter(std::size_t run) {
  return run < 26 ? std::string(1, static_cast<char>('A' + run)) : std::to_string(run + 1);
}

Table with_letters(const std::string& first, std::size_t count, bool numbers) {
  Table table{.columns = {{first}}, .rows = {}};
  for (std::size_t i = 0; i < count; ++i) table.columns.push_back({letter(i), numbers});
  return table;
}

Table list_of_runs(const std::vector<Run>& runs) {
  Table table{.columns = {{"run"}, {"folder"}, {"model"}, {"steps", true}}, .rows = {}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto& run = runs[i];
    table.rows.push_back(
        {letter(i), run.folder.string(),
         fmt::format("{}, {}, memory {}", run.algorithm, run.processor, run.memory),
         run.steps_done < run.steps_asked ? fmt::format("{} of {}", run.steps_done, run.steps_asked)
                                          : std::to_string(run.steps_done)});
  }
  return table;
}

Table differing_options(const std::vector<Run>& runs) {
  std::set<std::string> names;
  for (const auto& run : runs)
    for (const auto& [name, unused] : run.options) names.insert(name);
  auto table = with_letters("option", runs.size(), false);
  for (const auto& name : names) {
    std::vector<std::string> row = {name};
    for (const auto& run : runs) {
      const auto found = run.options.find(name);
      row.push_back(found == run.options.end() ? "-" : found->second);
    }
    const bool differ =
        std::any_of(row.begin() + 2, row.end(), [&](const auto& text) { return text != row[1]; });
    if (differ) table.rows.push_back(std::move(row));
  }
  return table;
}

std::string score_text(const Run& run, std::optional<double> score) {
  if (!score) return "-";
  return run.metric().is_share ? percent(score) : fmt::format("{:.4f}", *score);
}

template <class Text>
void add_row(Table& table, const std::string& name, const std::vector<Run>& runs, Text text) {
  table.rows.push_back({name});
  for (const auto& run : runs) table.rows.back().push_back(text(run));
}

const TestScore* find_test(const Run& run, const TestKey& name) {
  for (const auto& test : run.tests)
    if (test.size == name.size && test.checkpoint == name.checkpoint) return &test;
  return nullptr;
}

std::string test_text(const TestKey& name) {
  return name.size == kOwnTestSet ? fmt::format("test error, {}", name.checkpoint)
                                  : fmt::format("test {}, {}", name.size, name.checkpoint);
}

Table score_table(const std::vector<Run>& runs) {
  auto table = with_letters("score", runs.size(), true);
  add_row(table, "best validation", runs, [](const Run& run) {
    return run.best ? fmt::format("{} (step {})", score_text(run, run.best->value), run.best->step)
                    : "-";
  });
  add_row(table, "last validation", runs, [](const Run& run) {
    return run.validation.empty() ? "-" : score_text(run, run.validation.back().value);
  });
  for (const auto& name : tests_of(runs))
    add_row(table, test_text(name), runs, [&](const Run& run) {
      const auto* test = find_test(run, name);
      if (test == nullptr) return std::string("-");
      auto text = score_text(run, test->score);
      if (test->low && test->high)
        text += fmt::format(" [{}, {}]", score_text(run, test->low), score_text(run, test->high));
      return text;
    });
  add_row(table, "parameters", runs, [](const Run& run) {
    return run.parameters ? grouped_digits(*run.parameters) : std::string("-");
  });
  add_row(table, "time", runs, [](const Run& run) { return duration(run.seconds); });
  return table;
}

/// Of scores alone: errors of single molecules are no points of percent.
Table graph_table(const std::vector<Run>& runs) {
  Table table{.columns = {{"test"},
                          {"difference"},
                          {"points", true},
                          {"95%", true},
                          {"graphs better", true},
                          {"worse", true}},
              .rows = {}};
  if (!runs[0].metric().is_share) return table;
  for (const auto& name : tests_of(runs)) {
    const auto* first = find_test(runs[0], name);
    if (first == nullptr) continue;
    for (std::size_t i = 1; i < runs.size(); ++i) {
      const auto* other = find_test(runs[i], name);
      if (other == nullptr || runs[i].algorithm != runs[0].algorithm) continue;
      const auto found = paired_difference({&other->sample_scores, 1}, {&first->sample_scores, 1});
      if (!found) continue;
      table.rows.push_back({test_text(name), fmt::format("{} - A", letter(i)), points(found->mean),
                            fmt::format("[{}, {}]", points(found->low), points(found->high)),
                            fmt::format("{} of {}", found->better, found->samples),
                            std::to_string(found->worse)});
    }
  }
  return table;
}

/// What all validation curves cover.
struct Frame {
  double low = 0, high = 0;
  std::int64_t last_step = 0;
};

Frame frame_of(const std::vector<Run>& runs) {
  Frame frame;
  bool first = true;
  for (const auto& run : runs) {
    for (const auto& point : run.validation) {
      frame.low = first ? point.value : std::min(frame.low, point.value);
      frame.high = first ? point.value : std::max(frame.high, point.value);
      frame.last_step = std::max(frame.last_step, point.step);
      first = false;
    }
  }
  return frame;
}

/// "▁▃▆█": one character for each part of the steps, the last value in it; where a part has none
/// the one before stays, and behind the end there is nothing.
std::string block_curve(const std::vector<Point>& curve, const Frame& frame, int width) {
  static constexpr const char* kBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::vector<int> levels(width, -1);
  int last = -1;
  for (const auto& point : curve) {
    const auto at =
        static_cast<int>(point.step * (width - 1) / std::max<std::int64_t>(frame.last_step, 1));
    const double share =
        frame.high > frame.low ? (point.value - frame.low) / (frame.high - frame.low) : 1;
    levels[at] = std::clamp(static_cast<int>(share * 8), 0, 7);
    last = std::max(last, at);
  }
  std::string text;
  for (int i = 0, level = 0; i < width; ++i) {
    if (levels[i] >= 0) level = levels[i];
    text += i <= last ? kBlocks[level] : " ";
  }
  return text;
}

}  // namespace

SideBySide side_by_side(const std::vector<Run>& runs, int curve_width) {
  SideBySide sides{.runs = list_of_runs(runs),
                   .options = differing_options(runs),
                   .scores = score_table(runs),
                   .graphs = graph_table(runs)};
  const auto frame = frame_of(runs);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].validation.empty()) continue;
    sides.curves.push_back(fmt::format("{} {} {}", letter(i),
                                       block_curve(runs[i].validation, frame, curve_width),
                                       score_text(runs[i], runs[i].validation.back().value)));
  }
  sides.curves_axis = fmt::format("validation over steps 0 to {}, from {} to {}", frame.last_step,
                                  score_text(runs[0], frame.low), score_text(runs[0], frame.high));
  return sides;
}

std::string side_by_side_page(const SideBySide& sides, const std::vector<Run>& runs,
                              const std::string& command) {
  auto text = html_begin("Runs side by side") + html_conclusion(conclusion(groups_of(runs))) +
              html_table(sides.runs);
  const auto section = [&](const char* title, const Table& table) {
    if (!table.rows.empty()) text += fmt::format("<h2>{}</h2>\n", title) + html_table(table);
  };
  section("Options that differ", sides.options);
  section("Scores in percent, of peptides errors, with 95% intervals over samples", sides.scores);
  section("Graph by graph: points of percent, with their 95% interval over graphs", sides.graphs);
  Chart chart{.title = "Validation", .x_label = "steps", .y_label = "", .series = {}};
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    labels.push_back(fmt::format("{}: {}", letter(i), runs[i].folder.string()));
    Series series{.label = labels.back(), .colour = static_cast<int>(i), .points = {}};
    for (const auto& point : runs[i].validation)
      series.points.push_back({static_cast<double>(point.step),
                               point.value * (runs[i].metric().is_share ? 100 : 1), 0});
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  if (!chart.series.empty())
    text += "<h2>Curves</h2>\n" + html_legend(labels) + "<div class=\"charts\">\n" + figure(chart) +
            "</div>\n";
  return text + html_end(command);
}

}  // namespace npq::report
