// The paper's own numbers give the paper's averages, counts and letters; ours stand beside them.
#include "npq/report/tables/paper.h"

#include <gmock/gmock.h>

#include <cmath>

#include "npq/report/pages/text.h"
#include "npq/report/tables/paper_comparison.h"
#include "npq/report/tables/wins.h"

namespace npq::report {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Runs = std::vector<Run>;  // inside a test, Run is another

const PaperTable& table_named(const std::string& name) {
  for (const auto& table : paper_tables())
    if (table.name == name) return table;
  throw std::runtime_error("no table " + name);
}

std::vector<std::optional<double>> column(const PaperTable& table, std::size_t c) {
  std::vector<std::optional<double>> means;
  for (const auto& row : table.rows) means.emplace_back(row.cells[c].mean);
  return means;
}

TEST(ThePapersNumbers, GiveItsAveragesOverThirtyAlgorithms) {
  const auto& table = table_named("clrs30");
  ASSERT_EQ(table.rows.size(), 30u);
  std::vector<std::string> computed, printed;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    computed.push_back(percent(averages(table.rows, column(table, c)).algorithms));
    printed.push_back(percent(table.averages[c]));
  }
  EXPECT_EQ(computed, printed);
  EXPECT_THAT(printed, ElementsAre("44.48", "45.40", "41.55", "43.68", "46.32"));
}

TEST(ThePapersNumbers, GiveAllHundredAndFiftyLettersAndTheirCounts) {
  const auto& table = table_named("clrs30");
  std::vector<WinCounts> counts(table.columns.size());
  int letters = 0;
  for (const auto& row : table.rows) {
    const std::vector<std::optional<Statistic>> scores(row.cells.begin(), row.cells.end());
    const auto computed = win_letters(scores);
    EXPECT_EQ(computed, row.letters) << row.label;
    for (std::size_t c = 0; c < counts.size(); ++c) counts[c].add(computed[c]);
    letters += static_cast<int>(computed.size());
  }
  EXPECT_EQ(letters, 150);
  std::vector<std::string> texts;
  for (const auto& count : counts) texts.push_back(count.text());
  EXPECT_EQ(texts, table.counts);
  EXPECT_THAT(texts, ElementsAre("1/17/12", "0/19/11", "0/13/17", "1/13/16", "4/16/10"));
}

TEST(ThePapersNumbers, GiveTheClaimsOfItsText) {
  const auto& table = table_named("clrs30");
  int some_queue_better = 0, npq_m_better = 0, by_tenth = 0, by_half = 0;
  for (const auto& row : table.rows) {
    const double base = row.cells[0].mean, m = row.cells[4].mean;
    double best = 0;
    for (std::size_t c = 1; c < 5; ++c) best = std::max(best, row.cells[c].mean);
    some_queue_better += best > base;
    npq_m_better += m > base;
    const double gain = std::max((m - base) / base, (m - base) / (1 - base));
    by_tenth += gain >= 0.1;
    by_half += gain >= 0.5;
  }
  EXPECT_EQ(some_queue_better, 26);
  EXPECT_EQ(npq_m_better, 17);
  EXPECT_EQ(by_tenth, 12);
  EXPECT_EQ(by_half, 4);
}

TEST(ThePapersNumbers, FamiliesCountEqually) {
  const std::vector<PaperRow> rows = {{.label = "a", .family = "x"},
                                      {.label = "b", .family = "x"},
                                      {.label = "c", .family = "y"},
                                      {.label = "d", .family = "z"}};
  // x has 0.2, y has 0.8, z is missing: 0.5; the three algorithms have 0.4.
  const auto both = averages(rows, {0.1, 0.3, 0.8, std::nullopt});
  EXPECT_DOUBLE_EQ(both.families, 0.5);
  EXPECT_DOUBLE_EQ(both.algorithms, 0.4);
  EXPECT_EQ(both.algorithm_count, 3);
  EXPECT_EQ(averages(table_named("clrs30").rows, column(table_named("clrs30"), 0)).family_count, 8);
}

TEST(WinLetters, AloneWithinItsOwnDeviationWins) {
  using S = std::vector<std::optional<Statistic>>;
  EXPECT_EQ(win_letters(S{Statistic{0.9, 0.05, 3}, Statistic{0.84, 0.5, 3}}), "WL");
  EXPECT_EQ(win_letters(S{Statistic{0.9, 0.05, 3}, Statistic{0.85, 0, 3}}), "TT");
  EXPECT_EQ(win_letters(S{Statistic{0.1, 0, 3}, std::nullopt, Statistic{0.3, 0, 3}}), "L W");
  EXPECT_EQ(win_letters(S{std::nullopt}), " ");
}

/// A run of the paper's protocol with a score of its best and its last model.
Run a_run(const std::string& memory, int seed, double best, double last, std::int64_t size = 256) {
  Run run;
  run.algorithm = "dijkstra";
  run.processor = "mpnn";
  run.memory = memory;
  run.seed = seed;
  run.options = {{"memory", memory}, {"seed", std::to_string(seed)}};
  run.steps_asked = run.steps_done = 30000;
  run.finished = true;
  run.tests = {{.checkpoint = "best", .size = size, .score = best},
               {.checkpoint = "last", .size = size, .score = last}};
  return run;
}

TEST(OursBesideThePapers, InThePapersOrderWithTheDifferenceAndWhatIsLess) {
  Runs runs = {a_run("none", 1, 0.70, 0.75), a_run("none", 2, 0.80, 0.75),
               a_run("none", 3, 0.90, 0.75), a_run("npq_w", 1, 0.86, 0.80)};
  runs[3].steps_done = 2000;
  const auto tables = compare_with_paper(groups_of(runs));
  ASSERT_EQ(tables.size(), 2u);  // the MPNN row of the second table is there too
  const auto& rows = tables[0].table.rows;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_THAT(tables[0].note, HasSubstr("2 of the paper's 8 rows"));
  EXPECT_THAT(rows[0], ElementsAre("Baseline", "80.00 ± 8.16", "68.58 ± 9.71", "+11.42",
                                   "75.00 ± 0.00", "76.97 ± 4.38", "-1.97"));
  EXPECT_THAT(rows[1], ElementsAre("NPQ_W", "86.00 (one draw)", "85.48 ± 3.50", "+0.52",
                                   "80.00 (one draw)", "86.22 ± 2.20", "-6.22"));
  EXPECT_EQ(tables[0].table.columns[2].name, "Best, paper");
  // What is less is said once, not in every cell.
  EXPECT_THAT(tables[0].note,
              HasSubstr("Less than the paper: 2000 of 30000 steps, 1 of 3 seeds (NPQ_W)."));
  ASSERT_EQ(tables[1].table.rows.size(), 1u);
  const auto& row = tables[1].table.rows[0];
  EXPECT_THAT(
      std::vector(row.begin(), row.begin() + 7),
      ElementsAre("MPNN", "80.00 ± 8.16", "76.97 ± 4.38", "+3.03", "-", "81.64 ± 3.71", "-"));
  EXPECT_THAT(tables[1].note, HasSubstr("1 of 3 seeds (MPNN NPQ_W)."));
}

/// Five methods on two algorithms, one of them with `seeds` seeds, the other with one.
Runs two_algorithms(int seeds) {
  Runs runs;
  for (const auto* memory : {"none", "npq_m_p_sa", "npq_w_p_sv", "npq_w", "npq_m"}) {
    const double score = std::string(memory) == "npq_m" ? 0.9 : 0.5;
    for (int seed = 1; seed <= seeds; ++seed) runs.push_back(a_run(memory, seed, score, 0.5, 128));
    runs.push_back(a_run(memory, 1, 0.7, 0.7, 128));
    runs.back().algorithm = runs.back().options["algorithm"] = "bfs";
  }
  return runs;
}

/// The cells of the last method: ours, the paper's, the difference.
std::vector<std::string> of_npq_m(const std::vector<std::string>& row) {
  return {row.end() - 3, row.end()};
}

TEST(OursBesideThePapers, AveragesAndCountsAreOverWhatOursHas) {
  const auto runs = two_algorithms(3);
  const auto tables = compare_with_paper(groups_of(runs));
  ASSERT_EQ(tables.size(), 1u);
  const auto& rows = tables[0].table.rows;
  ASSERT_EQ(rows.size(), 2u + 3u);
  EXPECT_THAT(tables[0].note, HasSubstr("2 of the paper's 30 rows"));
  EXPECT_EQ(rows[0][0], "BFS");
  EXPECT_THAT(of_npq_m(rows[1]), ElementsAre("90.00 ± 0.00 W", "83.94 ± 2.52 L", "+6.06"));
  EXPECT_EQ(rows[1][1], "50.00 ± 0.00 L");
  // NPQ_M: (90 + 70) / 2, and the paper's (83.94 + 99.64) / 2; both are of one family.
  EXPECT_THAT(of_npq_m(rows[2]), ElementsAre("80.00", "91.79", "-11.79"));
  EXPECT_THAT(of_npq_m(rows[3]), ElementsAre("80.00", "91.79", "-11.79"));
  EXPECT_THAT(of_npq_m(rows[4]), ElementsAre("1/0/0", "4/16/10", "-"));
  EXPECT_THAT(tables[0].note,
              AllOf(HasSubstr("W, T and L are win, tie and loss"),
                    HasSubstr("over the algorithms that ours has, of 30: Baseline 2,")));
}

TEST(OursBesideThePapers, OneAlgorithmHasNoAverages) {
  const Runs runs = {a_run("none", 1, 0.5, 0.5, 128)};
  EXPECT_EQ(compare_with_paper(groups_of(runs))[0].table.rows.size(), 1u);
}

TEST(OursBesideThePapers, OneSeedWinsNothing) {
  const auto runs = two_algorithms(1);
  const auto tables = compare_with_paper(groups_of(runs));
  EXPECT_THAT(of_npq_m(tables[0].table.rows[1]),
              ElementsAre("90.00 (one draw)", "83.94 ± 2.52 L", "+6.06"));
  EXPECT_THAT(of_npq_m(tables[0].table.rows[4]), ElementsAre("-", "4/16/10", "-"));
}

TEST(OursBesideThePapers, TheLongestTrainedStandsForItsModel) {
  Runs runs = {a_run("none", 1, 0.1, 0.1), a_run("none", 1, 0.2, 0.2)};
  runs[0].steps_done = 100;
  runs[0].options["steps"] = "100";
  const auto tables = compare_with_paper(groups_of(runs));
  EXPECT_EQ(tables[0].table.rows[0][1], "20.00 (one draw)");
}

TEST(OursBesideThePapers, AnExperimentsNameIsTheModelsName) {
  Runs runs = {a_run("npq_w", 1, 0.5, 0.5), a_run("npq_w", 1, 0.6, 0.6)};
  runs[0].key = "dijkstra/mpnn/NPQ_W grant epsilon/seed1";
  runs[1].key = "dijkstra/mpnn/NPQ_W/seed1";
  const auto groups = groups_of(runs);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].label, "MPNN + NPQ_W grant epsilon");
  EXPECT_EQ(compare_with_paper(groups)[0].table.rows[0][1], "60.00 (one draw)");
}

}  // namespace
}  // namespace npq::report
