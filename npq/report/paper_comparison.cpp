#include "npq/report/paper_comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "npq/report/text.h"
#include "npq/report/wins.h"

namespace npq::report {
namespace {

using Scores = std::vector<std::optional<Statistic>>;

Statistic score_of(const Group& group, const PaperTable& table, const PaperColumn& column) {
  return group.over([&](const Run& run) { return run.test(table.size, column.checkpoint); });
}

std::int64_t fewest_steps(const Group& group) {
  std::int64_t fewest = group.first().steps_done;
  for (const auto* run : group.runs) fewest = std::min(fewest, run->steps_done);
  return fewest;
}

std::string spread(const Statistic& score) {
  if (score.count == 1) return percent(score.mean);
  return fmt::format("{} ± {}", percent(score.mean), percent(score.deviation));
}

std::string with_letter(std::string text, char letter) {
  return letter == ' ' ? text : fmt::format("{} {}", text, letter);
}

/// Whether every model has a score, and of several seeds: one seed has no spread, and with it every
/// best model would win.
bool can_be_ranked(const Scores& scores) {
  return std::all_of(scores.begin(), scores.end(),
                     [](const auto& score) { return score && score->count > 1; });
}

/// One row of a table: ours beside the paper's.
struct Row {
  std::vector<const Group*> groups;
  Scores ours, papers;
  std::string our_letters, paper_letters;
};

Row row_of(const std::vector<Group>& groups, const PaperTable& table, const PaperRow& row) {
  Row result;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const auto* group = stand_in(groups, table, row, table.columns[c]);
    result.groups.push_back(group);
    result.ours.push_back(
        group == nullptr ? std::nullopt : std::optional(score_of(*group, table, table.columns[c])));
    result.papers.emplace_back(row.cells[c]);
  }
  const auto blank = std::string(table.columns.size(), ' ');
  const bool lettered = !row.letters.empty();
  result.our_letters = lettered && can_be_ranked(result.ours) ? win_letters(result.ours) : blank;
  result.paper_letters = lettered ? row.letters : blank;
  return result;
}

std::string cell_of(const Row& row, std::size_t c) {
  const auto paper = with_letter(spread(*row.papers[c]), row.paper_letters[c]);
  if (!row.ours[c]) return fmt::format("- ({})", paper);
  auto text = fmt::format("{} ({}; {:+.2f})", with_letter(spread(*row.ours[c]), row.our_letters[c]),
                          paper, (row.ours[c]->mean - row.papers[c]->mean) * 100);
  if (const auto less = shortfall(*row.groups[c]); !less.empty()) text += ", " + less;
  return text;
}

/// A column of the large table, averaged over the algorithms that ours has.
std::string average_cell(const PaperTable& table, const std::vector<Row>& rows, std::size_t c,
                         bool by_family) {
  std::vector<std::optional<double>> ours, papers, all;
  for (const auto& row : rows) {
    const auto& score = row.ours[c];
    ours.push_back(score ? std::optional(score->mean) : std::nullopt);
    papers.push_back(score ? std::optional(row.papers[c]->mean) : std::nullopt);
    all.emplace_back(row.papers[c]->mean);
  }
  const auto own = averages(table.rows, ours), same = averages(table.rows, papers),
             full = averages(table.rows, all);
  const auto value = [&](const Averages& one) { return by_family ? one.families : one.algorithms; };
  if (own.algorithm_count == 0) return fmt::format("- ({})", percent(value(full)));
  auto text = fmt::format("{} ({}; {:+.2f})", percent(value(own)), percent(value(same)),
                          (value(own) - value(same)) * 100);
  if (own.algorithm_count == full.algorithm_count) return text;
  return fmt::format("{}, both over {} of {}", text, own.algorithm_count, full.algorithm_count);
}

std::string count_cell(const std::vector<Row>& rows, std::size_t c) {
  WinCounts ours, papers;
  std::size_t ranked = 0;
  for (const auto& row : rows) {
    papers.add(row.paper_letters[c]);
    ours.add(row.our_letters[c]);
    ranked += row.our_letters[c] != ' ';
  }
  if (ranked == 0) return fmt::format("- ({})", papers.text());
  if (ranked == rows.size()) return fmt::format("{} ({})", ours.text(), papers.text());
  return fmt::format("{} on {} of {} ({})", ours.text(), ranked, rows.size(), papers.text());
}

}  // namespace

const Group* stand_in(const std::vector<Group>& groups, const PaperTable& table,
                      const PaperRow& row, const PaperColumn& column) {
  const auto& method = row.method.empty() ? column.method : row.method;
  const Group* best = nullptr;
  const auto rank = [](const Group& group) {
    return std::pair(fewest_steps(group), group.runs.size());
  };
  for (const auto& group : groups) {
    const auto& run = group.first();
    if (run.algorithm != row.algorithm || run.processor != row.processor ||
        run.method() != method || score_of(group, table, column).count == 0)
      continue;
    if (best == nullptr || rank(group) > rank(*best)) best = &group;
  }
  return best;
}

std::vector<Comparison> compare_with_paper(const std::vector<Group>& groups) {
  std::vector<Comparison> all;
  for (const auto& paper : paper_tables()) {
    Comparison comparison{paper.title, paper.note, {}};
    auto& table = comparison.table;
    table.columns.push_back({paper.name == "clrs30"       ? "algorithm"
                             : paper.name == "processors" ? "processor"
                                                          : "method"});
    for (const auto& column : paper.columns) table.columns.push_back({column.label});
    std::vector<Row> rows;
    std::size_t having = 0;
    const auto add = [&](const std::string& label, const auto& cell) {
      table.rows.push_back({label});
      for (std::size_t c = 0; c < paper.columns.size(); ++c) table.rows.back().push_back(cell(c));
    };
    for (const auto& row : paper.rows) {
      rows.push_back(row_of(groups, paper, row));
      const auto& scores = rows.back().ours;
      if (std::none_of(scores.begin(), scores.end(), [](const auto& s) { return s.has_value(); }))
        continue;
      ++having;
      add(row.label, [&](std::size_t c) { return cell_of(rows.back(), c); });
    }
    if (having == 0) continue;
    if (having < rows.size())
      comparison.note += fmt::format("{}{} of the paper's {} rows: ours has nothing of the others.",
                                     comparison.note.empty() ? "" : " ", having, rows.size());
    if (!paper.counts.empty() && having > 1) {
      add("Average of 30", [&](auto c) { return average_cell(paper, rows, c, false); });
      add("Average of 8 families", [&](auto c) { return average_cell(paper, rows, c, true); });
      add("Win/Tie/Loss", [&](auto c) { return count_cell(rows, c); });
    }
    all.push_back(std::move(comparison));
  }
  return all;
}

}  // namespace npq::report
