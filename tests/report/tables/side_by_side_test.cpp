// Runs side by side: in what they differ, and what came of it.
#include "npq/report/tables/side_by_side.h"

#include <gmock/gmock.h>

#include "tests/report/made_up_run.h"

namespace npq::report {
namespace {

using test::TemporaryFolder;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string tests(const char* scores, double mean) {
  return fmt::format(R"({{"evaluations": [{{"checkpoint": "best", "size": 64, "samples": 4,
      "score": {{"value": {}, "low": 0.25, "high": 0.75}}, "sample_scores": {}}}]}})",
                     mean, scores);
}

class Compared : public ::testing::Test {
 protected:
  report::Run run(const char* name, MadeUpRun made_up) const {
    made_up.write(folder_ / name);
    return read_run(folder_ / name);
  }

  TemporaryFolder folder_;
};

TEST_F(Compared, NamesTheOptionsThatDifferAndNoOthers) {
  const std::vector<report::Run> runs = {
      run("a", {.seed = 1}), run("b", {.memory = "npq_w", .seed = 1, .more = R"(, "slots": 8)"})};
  const auto sides = side_by_side(runs);
  EXPECT_THAT(sides.options.rows,
              ElementsAre(ElementsAre("memory", "none", "npq_w"), ElementsAre("slots", "-", "8")));
  EXPECT_THAT(sides.runs.rows[1], Contains("dijkstra, mpnn, memory npq_w"));
}

TEST_F(Compared, PutsScoresSideBySide) {
  const std::vector<report::Run> runs = {
      run("a", {.metrics = log_of(0.5, 0.25), .evaluation = tests("[0, 1, 0.5, 0.5]", 0.5)}),
      run("b", {.metrics = log_of(0.5, 0.75)})};
  const auto rows = side_by_side(runs).scores.rows;
  EXPECT_THAT(rows, Contains(ElementsAre("best validation", "50.00 (step 0)", "75.00 (step 10)")));
  EXPECT_THAT(rows, Contains(ElementsAre("last validation", "25.00", "75.00")));
  EXPECT_THAT(rows, Contains(ElementsAre("test 64, best", "50.00 [25.00, 75.00]", "-")));
}

TEST_F(Compared, MeasuresTheDifferenceGraphByGraphWhereBothWereTestedOnThem) {
  const std::vector<report::Run> runs = {
      run("a", {.metrics = log_of(0.5, 0.25), .evaluation = tests("[0, 1, 0.5, 0.5]", 0.5)}),
      run("b", {.metrics = log_of(0.5, 0.75), .evaluation = tests("[0.5, 1, 1, 0.25]", 0.6875)}),
      run("c", {.metrics = log_of(0.5, 0.75), .evaluation = tests("[0.5, 1]", 0.75)})};
  const auto rows = side_by_side(runs).graphs.rows;
  ASSERT_EQ(rows.size(), 1u);  // the third has seen other graphs
  EXPECT_EQ(rows[0][1], "B - A");
  EXPECT_EQ(rows[0][2], "+18.75");  // (0.5 + 0 + 0.5 - 0.25) / 4
  EXPECT_EQ(rows[0][4], "2 of 4");
  EXPECT_EQ(rows[0][5], "1");
}

TEST_F(Compared, DrawsAllValidationCurvesInOneFrame) {
  const std::vector<report::Run> runs = {run("a", {.metrics = log_of(0.0, 0.5)}),
                                         run("b", {.metrics = log_of(0.5, 1.0)}), run("c", {})};
  const auto sides = side_by_side(runs);
  ASSERT_EQ(sides.curves.size(), 2u);  // the third has not begun
  EXPECT_THAT(sides.curves[0], ::testing::StartsWith("A ▁"));
  EXPECT_THAT(sides.curves[0], HasSubstr("▅ 50.00"));
  EXPECT_THAT(sides.curves[1], ::testing::StartsWith("B ▅"));
  EXPECT_THAT(sides.curves[1], HasSubstr("█ 100.00"));
  EXPECT_EQ(sides.curves_axis, "validation over steps 0 to 10, from 0.00 to 100.00");
}

TEST_F(Compared, MakesAPageThatNeedsNothingElse) {
  const std::vector<report::Run> runs = {
      run("a <b>", {.metrics = log_of(0.0, 0.5)}),
      run("c", {.memory = "npq_w", .metrics = log_of(0.5, 1.0)})};
  const auto page = side_by_side_page(side_by_side(runs), runs, "npq compare a c");
  EXPECT_THAT(page, HasSubstr("Options that differ"));
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_THAT(page, HasSubstr("npq compare a c"));
  EXPECT_THAT(page, Not(HasSubstr("a <b>")));
  EXPECT_THAT(page, Not(HasSubstr("http://")));
}

TEST_F(Compared, OpensItsPageWithTheConclusion) {
  const std::vector<report::Run> runs = {
      run("a", {.metrics = log_of(0.5, 0.25), .result = R"({"steps": 20})"}),
      run("b", {.memory = "npq_w", .metrics = log_of(0.5, 0.75), .result = R"({"steps": 20})"})};
  const auto page = side_by_side_page(side_by_side(runs), runs, "npq compare a b");
  const auto conclusion = page.find("MPNN and MPNN + NPQ_W learned dijkstra for");
  ASSERT_NE(conclusion, page.npos);
  EXPECT_LT(conclusion, page.find("<table"));
}

TEST_F(Compared, HasNothingToSayOfRunsWithoutAnyNumbers) {
  const std::vector<report::Run> runs = {run("a", {}), run("b", {})};
  const auto sides = side_by_side(runs);
  EXPECT_THAT(sides.options.rows, IsEmpty());
  EXPECT_THAT(sides.graphs.rows, IsEmpty());
  EXPECT_THAT(sides.curves, IsEmpty());
}

}  // namespace
}  // namespace npq::report
