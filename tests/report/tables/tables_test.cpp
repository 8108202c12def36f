// Means, spreads, names and the tables made of them.
#include "npq/report/tables/tables.h"

#include <gmock/gmock.h>

#include "npq/report/charts/bars.h"
#include "npq/report/pages/text.h"
#include "npq/report/run_set.h"
#include "tests/report/made_up_run.h"

namespace npq::report {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// In a test, Run is a member of GoogleTest's own class.
using Runs = std::vector<Run>;

Run run_with(const std::string& memory, int seed, double best) {
  Run run;
  run.folder = memory + std::to_string(seed);
  run.options = {{"algorithm", "dijkstra"},
                 {"processor", "mpnn"},
                 {"memory", memory},
                 {"seed", std::to_string(seed)}};
  run.algorithm = "dijkstra";
  run.processor = "mpnn";
  run.memory = memory;
  run.seed = seed;
  run.steps_done = run.steps_asked = 30000;
  run.finished = true;
  run.seconds = 100;
  run.best = Point{.step = 500, .seconds = 10, .value = best};
  run.validation = {*run.best};
  return run;
}

TEST(Statistic, DividesBySeedsNotBySeedsMinusOne) {
  const std::vector<double> values = {1, 2, 3, 6};  // mean 3, squares 4 + 1 + 0 + 9
  const auto result = statistic(values);
  EXPECT_THAT(result.mean, DoubleEq(3));
  EXPECT_THAT(result.deviation * result.deviation, DoubleEq(3.5));
  EXPECT_EQ(result.count, 4);
}

TEST(Groups, ShowTheMeanAndSpreadOverSeedsInPercent) {
  const Runs runs = {run_with("none", 1, 0.5), run_with("none", 2, 0.7), run_with("npq_w", 1, 0.8)};
  const auto table = group_table(groups_of(runs));
  ASSERT_THAT(table.rows, SizeIs(2));
  EXPECT_THAT(table.rows[0],
              ElementsAre("dijkstra", "MPNN", "1, 2", "30000", "60.00 ± 10.00", "60.00 ± 10.00",
                          "-", "-", "1 min 40 s", "300", "2 of 3 seeds"));
  EXPECT_EQ(table.columns[7].name, "peak RAM");
  EXPECT_EQ(table.rows[1][1], "MPNN + NPQ_W");
  EXPECT_EQ(table.rows[1][2], "1 (one draw)");
  EXPECT_EQ(table.rows[1][4], "80.00");
}

TestScore test(std::int64_t size, double score, const char* checkpoint = "best") {
  return {
      .checkpoint = checkpoint, .size = size, .samples = 2, .score = score, .low = {}, .high = {}};
}

TEST(Groups, InBriefShowTheirTestScoresSizeBySize) {
  Runs runs = {run_with("none", 1, 0.5), run_with("none", 2, 0.7), run_with("npq_w", 1, 0.8)};
  runs[0].tests = {test(64, 0.5), test(64, 0.9, "last"), test(256, 0.25)};
  runs[1].tests = {test(64, 0.7)};
  const auto table = brief_table(groups_of(runs));
  ASSERT_THAT(table.columns, SizeIs(7));
  EXPECT_EQ(table.columns[4].name, "64 nodes, best");
  EXPECT_EQ(table.columns[5].name, "64 nodes, last");
  EXPECT_THAT(table.rows[0],
              ElementsAre("dijkstra", "MPNN", "2", "30000", "60.00 ± 10.00", "90.00", "25.00"));
  EXPECT_THAT(table.rows[1],
              ElementsAre("dijkstra", "MPNN + NPQ_W", "1 (one draw)", "30000", "-", "-", "-"));
}

TEST(Groups, ShowTheirModelsInTheOrderBestLastAverage) {
  Runs runs = {run_with("none", 1, 0.5), run_with("npq_w", 1, 0.8)};
  runs[0].tests = {test(64, 0.25, "average"), test(64, 0.5), test(64, 0.75, "last"),
                   test(16, 0.125, "average")};
  const auto table = brief_table(groups_of(runs));
  std::vector<std::string> names;
  for (const auto& column : table.columns) names.push_back(column.name);
  EXPECT_THAT(names, ElementsAre("algorithm", "model", "seeds", "steps", "16 nodes, average",
                                 "64 nodes, best", "64 nodes, last", "64 nodes, average"));
  runs.pop_back();
  const auto svg = bar_picture(models_of_algorithms(groups_of(runs)));
  EXPECT_THAT(svg, HasSubstr("percent; best model, pale: last, paler: average<"));
}

TEST(BarPicture, HasAChartForEachAlgorithmAtTheLargestSizeThatAllModelsHave) {
  Runs runs = {run_with("none", 1, 0.5), run_with("npq_w", 1, 0.8), run_with("none", 1, 0.5)};
  runs[2].algorithm = runs[2].options["algorithm"] = "bfs";
  runs[0].tests = {test(64, 0.5), test(64, 0.625, "last"), test(256, 0.125)};
  runs[1].tests = {test(64, 0.75)};
  runs[2].tests = {test(16, 1)};
  const auto svg = bar_picture(models_of_algorithms(groups_of(runs)));
  EXPECT_THAT(svg, ::testing::StartsWith("<svg xmlns="));
  EXPECT_THAT(svg, HasSubstr("dijkstra: Test score, 64 nodes<"));
  EXPECT_THAT(svg, HasSubstr("percent; best model, pale: last<"));
  EXPECT_THAT(svg, HasSubstr("bfs: Test score, 16 nodes<"));
  EXPECT_THAT(svg, HasSubstr("percent; best model<"));
  EXPECT_THAT(svg, HasSubstr("62.50"));
  EXPECT_THAT(svg, HasSubstr("50.00"));
  EXPECT_THAT(svg, HasSubstr("75.00"));
  EXPECT_THAT(svg, ::testing::Not(HasSubstr("12.50")));
  for (auto& run : runs) run.tests.clear();
  EXPECT_EQ(bar_picture(models_of_algorithms(groups_of(runs))), "");
}

TEST(Groups, OfTheSameNameAreToldApartByTheOptionsInWhichTheyDiffer) {
  auto wide = run_with("none", 1, 0.5), narrow = wide;
  wide.options["hidden"] = "128";
  narrow.options["hidden"] = "16";
  const Runs runs = {wide, narrow};
  const auto groups = groups_of(runs);
  ASSERT_THAT(groups, SizeIs(2));
  EXPECT_EQ(groups[0].label, "MPNN (hidden 128)");
  EXPECT_EQ(groups[1].label, "MPNN (hidden 16)");
}

TEST(Groups, AreNotCalledAfterSixtyFourDigits) {
  Runs runs = {run_with("none", 1, 0.5), run_with("none", 1, 0.5)};
  runs[1].options["init"] = "first";
  runs[1].options["init-checksum"] = std::string(8, 'a') + std::string(56, 'b');
  EXPECT_EQ(groups_of(runs)[1].label, "MPNN (init first, init-checksum aaaaaaaa)");
}

TEST(Groups, HoldOlderRunsThatDoNotNameTheirPreset) {
  auto older = run_with("npq_w", 1, 0.5), newer = run_with("npq_w", 2, 0.5);
  newer.options["preset"] = "paper";
  const Runs runs = {older, newer};
  EXPECT_THAT(groups_of(runs), SizeIs(1));
}

TEST(Groups, HoldOlderRunsWithoutAMeanButNotThoseOfAnotherDecay) {
  auto older = run_with("npq_w", 1, 0.5), newer = run_with("npq_w", 2, 0.5), other = newer;
  newer.options["average"] = "0.995";
  other.options["average"] = "0.9";
  const Runs runs = {older, newer, other};
  const auto groups = groups_of(runs);
  ASSERT_THAT(groups, SizeIs(2));
  EXPECT_THAT(groups[0].runs, SizeIs(2));
  EXPECT_EQ(groups[0].label, "MPNN + NPQ_W");
  EXPECT_EQ(groups[1].label, "MPNN + NPQ_W (average 0.9)");
}

TEST(Groups, WithoutAMemoryAreNotCalledAfterOne) {
  Runs runs = {run_with("none", 1, 0.5)};
  runs[0].key = "dijkstra/mpnn/Small/seed1";
  EXPECT_EQ(groups_of(runs)[0].label, "MPNN, Small");
}

TEST(Groups, OfOneNameHaveOneColourAllOverThePage) {
  Runs runs = {run_with("none", 1, 0.5), run_with("npq_w", 1, 0.8), run_with("npq_w", 1, 0.8)};
  runs[2].algorithm = runs[2].options["algorithm"] = "bfs";
  const auto groups = groups_of(runs);
  ASSERT_THAT(groups, SizeIs(3));
  EXPECT_EQ(groups[0].colour, 0);
  EXPECT_EQ(groups[1].colour, 1);
  EXPECT_EQ(groups[2].colour, 1);
}

TEST(Groups, TimesAreMediansSoThatOneBusyMachineDoesNotCount) {
  Runs runs = {run_with("none", 1, 0.5), run_with("none", 2, 0.5), run_with("none", 3, 0.5)};
  runs[0].seconds = 1100, runs[1].seconds = 13000, runs[2].seconds = 1200;
  EXPECT_EQ(groups_of(runs)[0].median([](const auto& run) { return std::optional(run.seconds); }),
            1200);
  EXPECT_EQ(median_of({4, 1}), 2.5);
  EXPECT_EQ(median_of({}), 0);
}

TEST(Shortfall, NamesStepsSeedsAndSizesBelowThePaper) {
  Runs runs = {run_with("none", 1, 0.5), run_with("none", 2, 0.5), run_with("none", 3, 0.5)};
  EXPECT_EQ(shortfall(groups_of(runs)[0]), "");
  runs.pop_back();
  for (auto& run : runs) run.options["hidden"] = "16";
  runs[1].steps_done = 120;
  runs[1].finished = false;
  EXPECT_EQ(shortfall(groups_of(runs)[0]),
            "120 of 30000 steps, 2 of 3 seeds, not finished, hidden 16 instead of 128");
}

TEST(Shortfall, NamesTheReferencePresetThatARunsConfigurationKeeps) {
  const test::TemporaryFolder folder;
  for (const auto* preset : {"paper", "reference"})
    MadeUpRun{.memory = "npq_w",
              .metrics = log_of(0.5, 0.25),
              .more = fmt::format(R"(, "preset": "{}")", preset)}
        .write(folder / preset);
  const auto said = [&](const char* preset) {
    const std::vector<std::filesystem::path> asked = {folder / preset};
    const auto set = read_runs(asked);
    return shortfall(groups_of(set.runs)[0]);
  };
  EXPECT_THAT(said("reference"), HasSubstr("preset reference instead of paper"));
  EXPECT_THAT(said("paper"), ::testing::Not(HasSubstr("preset")));
}

TEST(Band, IsTheMeanOverRunsAtEveryStep) {
  const std::vector<Point> first = {{0, 1, 2}, {10, 3, 4}}, second = {{0, 3, 4}};
  const std::vector<const std::vector<Point>*> curves = {&first, &second};
  const auto band = band_of(curves);
  ASSERT_THAT(band, SizeIs(2));
  EXPECT_EQ(band[0].mean, 3);
  EXPECT_EQ(band[0].deviation, 1);
  EXPECT_EQ(band[0].seconds, 2);
  EXPECT_EQ(band[1].mean, 4);
  EXPECT_EQ(band[1].deviation, 0);
}

TEST(Band, OfManyPointsAveragesNeighbours) {
  const std::vector<Point> curve = {{0, 0, 1}, {1, 1, 3}, {2, 2, 5}, {3, 3, 9}};
  const std::vector<const std::vector<Point>*> curves = {&curve};
  const auto band = band_of(curves, /*most=*/2);
  ASSERT_THAT(band, SizeIs(2));
  EXPECT_EQ(band[0].step, 0.5);
  EXPECT_EQ(band[0].mean, 2);
  EXPECT_EQ(band[1].mean, 7);
}

TEST(RunTable, ShowsTestScoresWithTheirIntervals) {
  Runs runs = {run_with("none", 1, 0.5)};
  runs[0].tests = {{"best", 64, 32, 0.915, 0.9, 0.93}};
  const auto table = run_table(runs);
  EXPECT_EQ(table.columns[9].name, "test 64, best [95%]");
  EXPECT_EQ(table.rows[0][9], "91.50 [90.00,\u00a093.00]");
}

TEST(Csv, HasEveryDigitAndQuotesWhatNeedsIt) {
  Runs runs = {run_with("none", 1, 0.123456789)};
  runs[0].folder = "a, \"b\"";
  runs[0].tests = {{"last", 64, 32, 0.1, {}, {}}};
  EXPECT_EQ(to_csv(raw_table(runs)),
            "run,algorithm,processor,memory,seed,steps,steps_asked,finished,best_validation,"
            "best_step,last_validation,parameters,peak_bytes,seconds,commit,test_64_last\n"
            "\"a, \"\"b\"\"\",dijkstra,mpnn,none,1,30000,30000,1,0.123456789,500,0.123456789,,,100,"
            ",0.1\n");
}

TEST(Markdown, KeepsItsColumnsWhateverAFolderIsCalled) {
  Table table{.columns = {{"run"}, {"score", true}}, .rows = {{"a|b\nc", "1"}}};
  EXPECT_EQ(to_markdown(table), "| run | score |\n|---|---:|\n| a\\|b c | 1 |\n");
}

TEST(PaperName, IsThatOfThePapersTables) {
  EXPECT_EQ(paper_name("npq_w_p_sv"), "NPQ_W-P-SV");
  EXPECT_EQ(paper_name("npq_m"), "NPQ_M");
  EXPECT_EQ(paper_name("npq_w_plus"), "NPQ_W plus");
  EXPECT_EQ(paper_name("oracle"), "Oracle PQ");
  EXPECT_EQ(paper_name("npq_w_plus"), "NPQ_W plus");
  EXPECT_EQ(paper_name("none"), "Baseline");
}

TEST(Text, NumbersReadWell) {
  EXPECT_EQ(grouped_digits(1415750), "1 415 750");
  EXPECT_EQ(grouped_digits(750), "750");
  EXPECT_EQ(duration(7500), "2 h 05 min");
  EXPECT_EQ(short_number(0.12345), "0.1235");
}

TEST(Text, OfAnyBytesBecomesUtf8OfOneLine) {
  EXPECT_EQ(shown("a\nb\x01"), "a b ");
  EXPECT_THAT(shown("\xff"), HasSubstr("xff"));
  EXPECT_EQ(shown("ää", 3), "ä...");
}

}  // namespace
}  // namespace npq::report
