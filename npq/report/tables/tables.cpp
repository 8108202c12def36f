#include "npq/report/tables/tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "npq/report/pages/text.h"
#include "npq/report/tables/seeds.h"

namespace npq::report {
namespace {

std::set<TestKey> tests_of(const std::vector<Group>& groups) {
  std::set<TestKey> keys;
  for (const auto& group : groups) keys.merge(group.tests());
  return keys;
}

std::optional<double> best_validation(const Run& run) {
  return run.best ? std::optional(run.best->value) : std::nullopt;
}
std::optional<double> last_validation(const Run& run) {
  return run.validation.empty() ? std::nullopt : std::optional(run.validation.back().value);
}

/// Peak memory of training, if workers measured it.
std::string memory_text(const Statistic& bytes) {
  return bytes.count == 0 ? "-" : fmt::format("{:.3g} GB", bytes.mean / 1e9);
}

std::string seeds_of(const Group& group) {
  std::vector<std::string> seeds;
  for (const auto* run : group.runs)
    seeds.push_back(run->seed ? std::to_string(*run->seed) : std::string("?"));
  return fmt::format("{}{}", fmt::join(seeds, ", "), draw_mark(seeds.size()));
}

std::string steps_text(const Run& run) {
  if (run.finished || run.steps_done == run.steps_asked) return std::to_string(run.steps_done);
  return fmt::format("{} of {}", run.steps_done, run.steps_asked);
}

std::string test_text(const Run& run, const TestKey& key) {
  for (const auto& test : run.tests) {
    if (test.size != key.size || test.checkpoint != key.checkpoint) continue;
    if (!test.low || !test.high) return percent(test.score);
    // The interval stays on one line.
    return fmt::format("{} [{},\u00a0{}]", percent(test.score), percent(test.low),
                       percent(test.high));
  }
  return "-";
}

std::string join_row(const std::vector<std::string>& cells, const char* separator) {
  return fmt::format("{}", fmt::join(cells, separator));
}

}  // namespace

Table group_table(const std::vector<Group>& groups) {
  const auto tests = tests_of(groups);
  Table table{.columns = {{"algorithm"},
                          {"model"},
                          {"seeds"},
                          {"steps", true},
                          {"best validation", true},
                          {"last validation", true}},
              .rows = {}};
  for (const auto& key : tests)
    table.columns.push_back({fmt::format("test {}, {}", key.size, key.checkpoint), true});
  for (const auto* name : {"parameters", "peak RAM", "time", "steps/s"})
    table.columns.push_back({name, true});
  table.columns.push_back({"less than the paper"});
  for (const auto& group : groups) {
    const auto& first = group.first();
    const auto mean = [&](auto figure) { return group.over(figure).mean; };
    std::vector<std::string> row = {
        first.algorithm,
        group.label,
        seeds_of(group),
        short_number(mean([](const Run& run) { return std::optional<double>(run.steps_done); })),
        spread(group.over(best_validation)),
        spread(group.over(last_validation))};
    for (const auto& key : tests)
      row.push_back(
          spread(group.over([&](const Run& run) { return run.test(key.size, key.checkpoint); })));
    row.push_back(first.parameters ? grouped_digits(*first.parameters) : "-");
    row.push_back(memory_text(group.over([](const Run& run) {
      return run.peak_bytes ? std::optional(static_cast<double>(*run.peak_bytes)) : std::nullopt;
    })));
    row.push_back(
        duration(group.median([](const Run& run) { return std::optional(run.seconds); })));
    row.push_back(short_number(
        group.median([](const Run& run) { return std::optional(run.steps_per_second()); })));
    row.push_back(shortfall(group));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table brief_table(const std::vector<Group>& groups) {
  Table table{.columns = {{"algorithm"}, {"model"}, {"seeds", true}, {"steps", true}}, .rows = {}};
  const auto tests = tests_of(groups);
  for (const auto& key : tests)
    table.columns.push_back({fmt::format("{} nodes, {}", key.size, key.checkpoint), true});
  for (const auto& group : groups) {
    const auto steps =
        group.over([](const Run& run) { return std::optional<double>(run.steps_done); });
    std::vector<std::string> row = {
        group.first().algorithm, group.label,
        std::to_string(group.runs.size()) + draw_mark(group.runs.size()), short_number(steps.mean)};
    for (const auto& key : tests)
      row.push_back(
          spread(group.over([&](const Run& run) { return run.test(key.size, key.checkpoint); })));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table reasons_table(const std::vector<Group>& groups) {
  Table table{.columns = {{"model"}, {"why it is there"}}, .rows = {}};
  for (const auto& group : groups) {
    std::vector<std::string> row = {group.label, group.first().why};
    if (!row[1].empty() && std::ranges::count(table.rows, row) == 0)
      table.rows.push_back(std::move(row));
  }
  return table;
}

Table run_table(const std::vector<Run>& runs) {
  const auto tests = tests_of(runs);
  Table table{.columns = {{"run"},
                          {"algorithm"},
                          {"processor"},
                          {"memory"},
                          {"seed", true},
                          {"steps", true},
                          {"best validation", true},
                          {"at step", true},
                          {"last validation", true}},
              .rows = {}};
  for (const auto& key : tests)
    table.columns.push_back({fmt::format("test {}, {} [95%]", key.size, key.checkpoint), true});
  for (const auto* name : {"parameters", "time", "steps/s"}) table.columns.push_back({name, true});
  for (const auto& run : runs) {
    std::vector<std::string> row = {run.folder.string(),
                                    run.algorithm,
                                    run.processor,
                                    run.memory,
                                    run.seed ? std::to_string(*run.seed) : "-",
                                    steps_text(run),
                                    percent(best_validation(run)),
                                    run.best ? std::to_string(run.best->step) : "-",
                                    percent(last_validation(run))};
    for (const auto& key : tests) row.push_back(test_text(run, key));
    row.push_back(run.parameters ? grouped_digits(*run.parameters) : "-");
    row.push_back(duration(run.seconds));
    row.push_back(short_number(run.steps_per_second()));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table raw_table(const std::vector<Run>& runs) {
  const auto tests = tests_of(runs);
  Table table;
  for (const auto* name : {"run", "algorithm", "processor", "memory", "seed", "steps",
                           "steps_asked", "finished", "best_validation", "best_step",
                           "last_validation", "parameters", "peak_bytes", "seconds", "commit"})
    table.columns.push_back({name});
  for (const auto& [size, model] : tests)
    table.columns.push_back({size != kOwnTestSet ? fmt::format("test_{}_{}", size, model)
                             : model == "best"   ? std::string("test_mae")
                                                 : fmt::format("test_mae_{}", model)});
  const auto exact = [](std::optional<double> number) {
    return number ? fmt::format("{}", *number) : "";
  };
  for (const auto& run : runs) {
    const auto commit = run.about.find("commit");
    std::vector<std::string> row = {run.folder.string(),
                                    run.algorithm,
                                    run.processor,
                                    run.memory,
                                    run.seed ? std::to_string(*run.seed) : "",
                                    std::to_string(run.steps_done),
                                    std::to_string(run.steps_asked),
                                    run.finished ? "1" : "0",
                                    exact(best_validation(run)),
                                    run.best ? std::to_string(run.best->step) : "",
                                    exact(last_validation(run)),
                                    run.parameters ? std::to_string(*run.parameters) : "",
                                    run.peak_bytes ? std::to_string(*run.peak_bytes) : "",
                                    exact(run.seconds),
                                    commit == run.about.end() ? "" : commit->second};
    for (const auto& key : tests) row.push_back(exact(run.test(key.size, key.checkpoint)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string to_csv(const Table& table) {
  std::vector<std::string> cells;
  for (const auto& column : table.columns) cells.push_back(csv(column.name));
  std::string text = join_row(cells, ",") + "\n";
  for (const auto& row : table.rows) {
    cells.clear();
    for (const auto& cell : row) cells.push_back(csv(cell));
    text += join_row(cells, ",") + "\n";
  }
  return text;
}

std::string to_markdown(const Table& table) {
  std::string head = "|", rule = "|", rows;
  for (const auto& column : table.columns) {
    head += " " + markdown(column.name) + " |";
    rule += column.number ? "---:|" : "---|";
  }
  for (const auto& row : table.rows) {
    rows += "|";
    for (const auto& cell : row) rows += " " + markdown(cell) + " |";
    rows += "\n";
  }
  return head + "\n" + rule + "\n" + rows;
}

}  // namespace npq::report
