#include "npq/report/tables/paper_comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "npq/report/pages/text.h"
#include "npq/report/tables/seeds.h"
#include "npq/report/tables/wins.h"

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

  bool has_ours() const {
    return std::any_of(ours.begin(), ours.end(), [](const auto& one) { return one.has_value(); });
  }
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

/// Ours, the paper's and the difference of the two in points.
using Cells = std::array<std::string, 3>;

std::string difference(double ours, double papers) {
  return fmt::format("{:+.2f}", (ours - papers) * 100);
}

Cells cells_of(const Row& row, std::size_t c) {
  const auto paper = with_letter(spread(*row.papers[c]), row.paper_letters[c]);
  if (!row.ours[c]) return {"-", paper, "-"};
  const auto mark = draw_mark(static_cast<std::size_t>(row.ours[c]->count));
  return {with_letter(spread(*row.ours[c]) + mark, row.our_letters[c]), paper,
          difference(row.ours[c]->mean, row.papers[c]->mean)};
}

/// A column of the large table, averaged over the algorithms that ours has; where it has none the
/// paper's average of all stands alone.
Cells average_cells(const PaperTable& table, const std::vector<Row>& rows, std::size_t c,
                    bool by_family) {
  std::vector<std::optional<double>> ours, papers, all;
  for (const auto& row : rows) {
    const auto& score = row.ours[c];
    ours.push_back(score ? std::optional(score->mean) : std::nullopt);
    papers.push_back(score ? std::optional(row.papers[c]->mean) : std::nullopt);
    all.emplace_back(row.papers[c]->mean);
  }
  const auto own = averages(table.rows, ours);
  const auto value = [&](const Averages& one) { return by_family ? one.families : one.algorithms; };
  if (own.algorithm_count == 0) return {"-", percent(value(averages(table.rows, all))), "-"};
  const double mine = value(own), same = value(averages(table.rows, papers));
  return {percent(mine), percent(same), difference(mine, same)};
}

Cells count_cells(const std::vector<Row>& rows, std::size_t c) {
  WinCounts ours, papers;
  bool any = false;
  for (const auto& row : rows) {
    papers.add(row.paper_letters[c]);
    ours.add(row.our_letters[c]);
    any = any || row.our_letters[c] != ' ';
  }
  return {any ? ours.text() : "-", papers.text(), "-"};
}

/// What ours has less of than the paper: words, and the models they hold for.
std::string shortfalls(const PaperTable& table, const std::vector<Row>& rows) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::string>> names;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Group* before = nullptr;  // table 1 has two columns of one model
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const auto* group = rows[r].groups[c];
      if (group == nullptr || group == before) continue;
      before = group;
      const auto words = shortfall(*group);
      if (words.empty()) continue;
      if (!names.contains(words)) order.push_back(words);
      const auto& column = table.columns[c];
      names[words].push_back(column.method.empty()
                                 ? table.rows[r].label
                                 : fmt::format("{} {}", table.rows[r].label, column.label));
    }
  }
  std::vector<std::string> parts;
  parts.reserve(order.size());
  for (const auto& words : order)
    parts.push_back(fmt::format("{} ({})", words, named(names[words], "models")));
  return parts.empty() ? "" : fmt::format("Less than the paper: {}.", fmt::join(parts, "; "));
}

/// What the letters mean, in a table that has them.
std::string letters_note(const PaperTable& table) {
  if (table.counts.empty()) return "";
  return "W, T and L are win, tie and loss among the models of a row: those within one standard "
         "deviation (the best's own) of the best mean are in; who is in alone wins, several tie, "
         "the others lose. Ours have letters where every model has several seeds.";
}

std::string averages_note(const PaperTable& table, const std::vector<Row>& rows) {
  std::vector<std::string> counts;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const auto count = std::count_if(rows.begin(), rows.end(),
                                     [&](const Row& row) { return row.ours[c].has_value(); });
    counts.push_back(fmt::format("{} {}", table.columns[c].label, count));
  }
  return fmt::format("Both averages are over the algorithms that ours has, of {}: {}.", rows.size(),
                     fmt::join(counts, ", "));
}

void add_row(Table& table, const std::string& label, std::size_t columns, const auto& cells) {
  table.rows.push_back({label});
  for (std::size_t c = 0; c < columns; ++c)
    for (auto& cell : cells(c)) table.rows.back().push_back(std::move(cell));
}

Comparison beside_paper(const PaperTable& paper, const std::vector<Row>& rows) {
  Comparison comparison{paper.title, "", {}};
  auto& table = comparison.table;
  const auto width = paper.columns.size();
  table.columns.push_back({paper.name == "clrs30"       ? "algorithm"
                           : paper.name == "processors" ? "processor"
                                                        : "method"});
  for (const auto& column : paper.columns)
    for (const auto* whose : {"ours", "paper", "difference"})
      table.columns.push_back({fmt::format("{}, {}", column.label, whose), true});
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (rows[r].has_ours())
      add_row(table, paper.rows[r].label, width, [&](auto c) { return cells_of(rows[r], c); });
  const auto having = table.rows.size();
  const bool many = !paper.counts.empty() && having > 1;
  if (many) {
    add_row(table, "Average of the algorithms", width,
            [&](auto c) { return average_cells(paper, rows, c, false); });
    add_row(table, "Average of the families", width,
            [&](auto c) { return average_cells(paper, rows, c, true); });
    add_row(table, "Win/Tie/Loss", width, [&](auto c) { return count_cells(rows, c); });
  }
  comparison.note =
      joined({shortfalls(paper, rows), letters_note(paper), many ? averages_note(paper, rows) : "",
              paper.note,
              having < rows.size()
                  ? fmt::format("{} of the paper's {} rows: ours has nothing of the others.",
                                having, rows.size())
                  : ""},
             " ");
  return comparison;
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
    std::vector<Row> rows;
    for (const auto& row : paper.rows) rows.push_back(row_of(groups, paper, row));
    if (std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.has_ours(); }))
      all.push_back(beside_paper(paper, rows));
  }
  return all;
}

}  // namespace npq::report
