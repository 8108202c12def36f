// Differences on the same test graphs, and the bars.
#include "npq/report/tables/paired.h"

#include <gmock/gmock.h>

#include "npq/report/charts/bars.h"

namespace npq::report {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Lists = std::vector<std::vector<double>>;
using Runs = std::vector<Run>;  // inside a test, Run is another

Run a_run(const std::string& algorithm, const std::string& memory, std::vector<double> scores,
          std::int64_t size = 64) {
  Run run;
  run.algorithm = algorithm;
  run.processor = "mpnn";
  run.memory = memory;
  run.options = {{"algorithm", algorithm}, {"memory", memory}};
  run.seed = 1;
  run.tests = {{.checkpoint = "best", .size = size, .score = statistic(scores).mean}};
  run.tests[0].sample_scores = std::move(scores);
  return run;
}

TEST(PairedDifference, AveragesSeedsThenComparesGraphByGraph) {
  // Seeds averaged: 0.5, 0.75, 0.25 against 0.5, 0.25, 0.5.
  const auto found =
      paired_difference(Lists{{0.5, 1, 0}, {0.5, 0.5, 0.5}}, Lists{{0.5, 0.25, 0.5}});
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->mean, 0.25 / 3, 1e-12);
  EXPECT_EQ(found->better, 1);
  EXPECT_EQ(found->worse, 1);
  EXPECT_EQ(found->samples, 3);
  // Resamples of three: the extremes are thrice the worst and thrice the best (1 in 27).
  EXPECT_NEAR(found->low, -0.25, 1e-12);
  EXPECT_NEAR(found->high, 0.5, 1e-12);
}

TEST(PairedDifference, TheSameAdvantageOnEveryGraphLeavesNothingToChance) {
  const auto found = paired_difference(Lists{{0.9, 0.6}}, Lists{{0.8, 0.5}});
  EXPECT_NEAR(found->low, 0.1, 1e-12);
  EXPECT_NEAR(found->high, 0.1, 1e-12);
}

TEST(PairedDifference, NeedsTheSameGraphs) {
  EXPECT_FALSE(paired_difference(Lists{{0.9}}, Lists{{0.8, 0.5}}).has_value());
  EXPECT_FALSE(paired_difference(Lists{{0.9, 1}, {1}}, Lists{{0.8, 0.5}}).has_value());
  EXPECT_FALSE(paired_difference(Lists{}, Lists{{0.8}}).has_value());
  EXPECT_FALSE(paired_difference(Lists{{}}, Lists{{}}).has_value());
}

TEST(PairedTable, HasARowForEveryModelAndTestSetThatTheBaselineHasToo) {
  const Runs runs = {a_run("bfs", "none", {0.5, 0.5}), a_run("bfs", "npq_w", {0.6, 0.6}),
                     a_run("bfs", "npq_m", {0.6, 0.6}, 128), a_run("dfs", "npq_w", {0.6, 0.6})};
  const auto table = paired_table(groups_of(runs));
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_THAT(table.rows[0], ElementsAre("bfs", "MPNN + NPQ_W", "MPNN", "64, best", "+10.00",
                                         "one draw", "1", "[+10.00,\u00a0+10.00]", "2 of 2", "0"));
}

/// The same model tested once more after the last step.
Run with_last(Run run, std::vector<double> scores) {
  auto test = run.tests[0];
  test.checkpoint = "last";
  test.score = statistic(scores).mean;
  test.sample_scores = std::move(scores);
  run.tests.push_back(std::move(test));
  return run;
}

TEST(PairedTable, HasOneRowForBestAndLastWhereTheyAreTheSame) {
  const Runs runs = {with_last(a_run("bfs", "none", {0.5}), {0.5}),
                     with_last(a_run("bfs", "npq_w", {0.6}), {0.6}),
                     with_last(a_run("bfs", "npq_m", {0.6}), {0.7})};
  const auto table = paired_table(groups_of(runs));
  std::vector<std::string> tests;
  for (const auto& row : table.rows) tests.push_back(row[1] + ": " + row[3] + " " + row[4]);
  EXPECT_THAT(tests, ElementsAre("MPNN + NPQ_W: 64, best and last +10.00",
                                 "MPNN + NPQ_M: 64, best +10.00", "MPNN + NPQ_M: 64, last +20.00"));
}

TEST(PairedTable, KeepsTheSameDifferenceOnTwoSizesApart) {
  auto none = a_run("bfs", "none", {0.5}), queue = a_run("bfs", "npq_w", {0.6});
  none.tests.push_back(a_run("bfs", "none", {0.5}, 128).tests[0]);
  queue.tests.push_back(a_run("bfs", "npq_w", {0.6}, 128).tests[0]);
  const auto table = paired_table(groups_of({none, queue}));
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[1][3], "128, best");
}

Run with_steps(Run run, std::int64_t steps) {
  run.steps_asked = steps;
  run.options["steps"] = std::to_string(steps);
  return run;
}

Run with_seed(Run run, std::int64_t seed) {
  run.seed = seed;
  run.options["seed"] = std::to_string(seed);
  return run;
}

Run named(Run run, const std::string& method) {
  run.key = run.algorithm + "/mpnn/" + method + "/seed1";
  return run;
}

/// Model, the one it is compared with, difference and seeds of every row.
std::vector<std::vector<std::string>> differences(const Runs& runs) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : paired_table(groups_of(runs)).rows)
    rows.push_back({row[1], row[2], row[4], row[6]});
  return rows;
}

TEST(PairedTable, ComparesModelsThatWereTrainedEquallyLong) {
  const Runs runs = {with_steps(a_run("bfs", "none", {0.5}), 1000),
                     with_steps(a_run("bfs", "none", {0.9}), 2000),
                     with_steps(a_run("bfs", "npq_m", {0.8}), 2000),
                     with_steps(a_run("bfs", "npq_w", {0.8}), 3000)};
  EXPECT_THAT(differences(runs),
              ElementsAre(ElementsAre("MPNN + NPQ_M", "MPNN (steps 2000)", "-10.00", "1")));
}

TEST(PairedTable, TakesTheBaselineThatSharesTheMostOptions) {
  auto narrow = a_run("bfs", "none", {0.5}), wide = a_run("bfs", "none", {0.9}),
       queue = a_run("bfs", "npq_w", {0.6});
  narrow.options["hidden"] = queue.options["hidden"] = "32";
  wide.options["hidden"] = "128";
  EXPECT_THAT(differences({wide, narrow, queue}),
              ElementsAre(ElementsAre("MPNN + NPQ_W", "MPNN (hidden 32)", "+10.00", "1")));
}

TEST(PairedTable, TakesTheSeedsThatBothHaveOrAllWhereNoneIsTheSame) {
  const auto none = a_run("bfs", "none", {0.5}), queue = a_run("bfs", "npq_w", {0.6});
  EXPECT_THAT(differences({none, with_seed(a_run("bfs", "none", {0.1}), 2), queue}),
              ElementsAre(ElementsAre("MPNN + NPQ_W", "MPNN", "+10.00", "1")));
  EXPECT_THAT(differences({none, with_seed(queue, 2), with_seed(a_run("bfs", "npq_w", {0.8}), 3)}),
              ElementsAre(ElementsAre("MPNN + NPQ_W", "MPNN", "+20.00", "2 against 1")));
}

TEST(PairedTable, HasTheIntervalOverSeedsAlsoWhereSingleGraphsAreNotKnown) {
  // Differences 0.10 and 0.14: mean 0.12, and 12.706 standard errors of 0.02 to both sides.
  Runs runs = {a_run("bfs", "none", {0.5}), with_seed(a_run("bfs", "none", {0.6}), 2),
               a_run("bfs", "npq_w", {0.6}), with_seed(a_run("bfs", "npq_w", {0.74}), 2)};
  for (auto& run : runs) run.tests[0].sample_scores.clear();
  const auto table = paired_table(groups_of(runs));
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_THAT(table.rows[0], ElementsAre("bfs", "MPNN + NPQ_W", "MPNN", "64, best", "+12.00",
                                         "[-13.41,\u00a0+37.41]", "2", "-", "-", "-"));
}

TEST(PairedTable, ComparesAFormOfAMemoryWithTheMemoryAsItIs) {
  const auto plain = a_run("bfs", "npq_w", {0.6});
  auto epsilon = a_run("bfs", "npq_w", {0.7});
  epsilon.options["grant"] = "epsilon";
  EXPECT_THAT(
      differences({named(a_run("bfs", "none", {0.5}), "Baseline"), named(plain, "NPQ_W"),
                   named(epsilon, "NPQ_W grant epsilon")}),
      ElementsAre(ElementsAre("MPNN + NPQ_W", "MPNN", "+10.00", "1"),
                  ElementsAre("MPNN + NPQ_W grant epsilon", "MPNN", "+20.00", "1"),
                  ElementsAre("MPNN + NPQ_W grant epsilon", "MPNN + NPQ_W", "+10.00", "1")));
}

TEST(BestQueueAgainstBaseline, IsSortedByGainAndNamesTheQueue) {
  const Runs runs = {a_run("bfs", "none", {0.5}),    a_run("bfs", "npq_w", {0.6}),
                     a_run("bfs", "npq_m", {0.55}),  a_run("dfs", "none", {0.2}),
                     a_run("dfs", "npq_m", {0.6}),   a_run("dfs", "stack", {0.9}),
                     a_run("minimum", "none", {0.9})};
  const auto chart = queue_against_baseline(groups_of(runs));
  EXPECT_EQ(chart.title, "Best queue against baseline, 64 nodes");
  ASSERT_EQ(chart.rows.size(), 2u);
  EXPECT_EQ(chart.rows[0].label, "dfs, mpnn: NPQ_M");
  EXPECT_EQ(chart.rows[1].label, "bfs, mpnn: NPQ_W, best of 2");
  EXPECT_DOUBLE_EQ(chart.rows[1].bars[1]->mean, 0.6);
  EXPECT_THAT(bar_figure(chart),
              AllOf(HasSubstr(">60.00, one draw</text>"), HasSubstr("class=\"bar c1\"")));
}

TEST(BestQueueAgainstBaseline, TakesTheBaselineOfTheBestQueue) {
  const Runs runs = {with_steps(a_run("bfs", "none", {0.5}), 1000),
                     with_steps(a_run("bfs", "none", {0.7}), 2000),
                     with_steps(a_run("bfs", "npq_m", {0.8}), 2000),
                     with_steps(a_run("bfs", "npq_w", {0.6}), 1000)};
  const auto chart = queue_against_baseline(groups_of(runs));
  ASSERT_EQ(chart.rows.size(), 1u);
  EXPECT_DOUBLE_EQ(chart.rows[0].bars[0]->mean, 0.7);
  EXPECT_DOUBLE_EQ(chart.rows[0].bars[1]->mean, 0.8);
}

TEST(BestQueueAgainstBaseline, IsOneOfThoseWithTheMostSeeds) {
  const Runs runs = {a_run("bfs", "none", {0.5}), with_seed(a_run("bfs", "none", {0.5}), 2),
                     a_run("bfs", "npq_m", {0.9}),  // the best, but one seed
                     a_run("bfs", "npq_w", {0.6}), with_seed(a_run("bfs", "npq_w", {0.7}), 2)};
  const auto chart = queue_against_baseline(groups_of(runs));
  ASSERT_EQ(chart.rows.size(), 1u);
  EXPECT_EQ(chart.rows[0].label, "bfs, mpnn: NPQ_W");
  EXPECT_DOUBLE_EQ(chart.rows[0].bars[1]->mean, 0.65);
}

TEST(Bars, LeaveRoomForTheirNumbers) {
  // 7 units a character at most, so that "100.00 ± 10.00" ends within the 440 of the picture.
  const BarChart chart{"T", "u", {{"full", {Statistic{1, 0.1, 3}}}}};
  const auto svg = bar_figure(chart);
  const auto text = svg.rfind("class=\"tick\" x=\"") + 16;
  EXPECT_LE(std::stod(svg.substr(text)) + 14 * 7, 440);
}

TEST(Bars, HaveALineOfOneDeviationToBothSidesWithSeveralSeeds) {
  // Full width 324 is 100 percent: the mean at 8 + 0.5 * 324, the line 0.25 * 324 to both sides.
  const BarChart chart{
      "T", "u", {{"full", {Statistic{0.5, 0.25, 3}}}, {"x", {Statistic{1, 0, 1}}}}};
  EXPECT_THAT(bar_figure(chart),
              AllOf(HasSubstr("width=\"162.0\""), HasSubstr("x1=\"89.0\" x2=\"251.0\""),
                    HasSubstr("50.00 ± 25.00")));
  EXPECT_THAT(bar_figure(BarChart{}), IsEmpty());
}

TEST(Bars, HaveAnAxisOfRoundValuesThatEndsAtHundred) {
  const BarChart chart{"T", "u", {{"full", {Statistic{0.9, 0.4, 3}}}}};
  EXPECT_THAT(bar_figure(chart), AllOf(HasSubstr("class=\"axis\""), HasSubstr(">80</text>"),
                                       HasSubstr(">100</text>"), Not(HasSubstr(">120</text>"))));
}

TEST(Bars, ShowEverySeedAndCallOneSeedOneDraw) {
  const BarChart several{"T", "u", {{"full", {statistic(std::vector<double>{0, 1})}}}},
      single{"T", "u", {{"full", {statistic(std::vector<double>{0.5})}}}};
  EXPECT_THAT(bar_figure(several),
              AllOf(HasSubstr("class=\"draw\" cx=\"8.0\""),
                    HasSubstr("class=\"draw\" cx=\"332.0\""), Not(HasSubstr("one draw"))));
  EXPECT_THAT(bar_figure(single), HasSubstr("50.00, one draw"));
}

TEST(Bars, OfAModelHaveItsColourAndSayThatItsQueueIsDrained) {
  auto queue = a_run("bfs", "npq_w", {0.6});
  queue.health["drained"] = {{1, 1, 0.99}};
  const auto runs = Runs{a_run("bfs", "none", {0.5}), queue, a_run("dfs", "none", {0.5}),
                         a_run("dfs", "npq_m", {0.6})};
  const auto charts = models_of_algorithms(groups_of(runs));
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_THAT(bar_figure(charts[0]), HasSubstr("MPNN + NPQ_W<tspan class=\"remark\">, drained in "
                                               "every step</tspan>"));
  // The second model of dfs is the third name on the page.
  EXPECT_THAT(bar_figure(charts[1]),
              AllOf(HasSubstr("class=\"bar c2\""), Not(HasSubstr("class=\"bar c1\"")),
                    Not(HasSubstr("drained"))));
}

TEST(ModelsAtLargestSize, TakeASizeThatAllHave) {
  auto two_sizes = a_run("bfs", "none", {0.5});
  two_sizes.tests.push_back({.checkpoint = "best", .size = 256, .score = 0.4});
  const Runs runs = {two_sizes, a_run("bfs", "npq_w", {0.6})};
  const auto groups = groups_of(runs);
  const auto chart = models_at_largest_size({&groups[0], &groups[1]});
  EXPECT_THAT(chart.title, HasSubstr("64 nodes"));
  EXPECT_EQ(chart.rows.size(), 2u);
}

}  // namespace
}  // namespace npq::report
