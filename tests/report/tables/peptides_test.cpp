// Runs on peptides: errors, twins, and when the paper's numbers may stand beside them.
#include "npq/report/tables/peptides.h"

#include <gmock/gmock.h>

#include "npq/report/pages/page.h"
#include "npq/report/result_file.h"
#include "npq/report/tables/paper.h"
#include "tests/report/made_up_run.h"

namespace npq::report {
namespace {

using npq::test::put_file;
using npq::test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class Peptides : public ::testing::Test {
 protected:
  /// A run folder as npq peptides train leaves it, started by an experiment.
  void add(const std::string& method, const std::string& layer, const std::string& memory, int seed,
           double error, const std::string& data = "generated") {
    const auto run = folder_ / (method + std::to_string(seed));
    std::filesystem::create_directories(run);
    put_file(run / "config.json",
             fmt::format(R"({{"algorithm": "peptides", "processor": "gcn", "memory": "{}",
               "layer": "{}", "seed": {}, "epochs": 2, "about": {{}}}})",
                         memory, layer, seed));
    put_file(run / "metrics.jsonl",
             "{\"step\":0,\"epoch\":0,\"val_mae\":0.5,\"seconds\":1}\n"
             "{\"step\":1,\"epoch\":1,\"val_mae\":0.75,\"seconds\":2}\n");
    put_file(run / "result.json", fmt::format(R"({{"epochs": 2, "steps": 2, "val_mae": 0.5,
      "test_mae": {}, "data": "{}", "seconds": 2}})",
                                              error, data));
    put_file(run / "experiment.json",
             fmt::format(R"({{"key": "peptides/gcn/{}/seed{}", "flags": {{}}}})", method, seed));
  }
  RunSet runs() const {
    const std::vector<std::filesystem::path> asked = {folder_.path()};
    return read_runs(asked);
  }
  TemporaryFolder folder_;
};

TEST_F(Peptides, TheLeastValidationErrorIsTheBest) {
  add("NPQ_W", "ref", "npq_w", 1, 0.25);
  const auto run = runs().runs.front();
  EXPECT_EQ(run.best->value, 0.5);
  EXPECT_EQ(run.test(kOwnTestSet, "best"), 0.25);
  EXPECT_EQ(run.epochs, 2);
}

TEST_F(Peptides, EachQueueStandsAgainstWhatLacksNothingButTheQueue) {
  add("Baseline", "plain", "none", 1, 0.5);
  add("Baseline", "plain", "none", 2, 0.7);
  add("ref without memory", "ref", "none", 1, 1.0);
  add("NPQ_W", "ref", "npq_w", 1, 0.8);
  add("NPQ_W full", "full", "npq_w", 1, 0.65);
  const auto set = runs();
  const auto groups = groups_of(set.runs);
  const auto reports = peptides_reports(groups);
  ASSERT_THAT(reports, SizeIs(1));
  EXPECT_THAT(reports[0].title, HasSubstr("generated"));
  EXPECT_THAT(reports[0].errors.rows,
              ElementsAre(ElementsAre("gcn", "0.6000 ± 0.1000", "0.8000 (one draw)",
                                      "1.0000 (one draw)", "0.6500 (one draw)")));
  EXPECT_THAT(reports[0].twins.rows,
              UnorderedElementsAre(ElementsAre("GCN + NPQ_W", "0.8000", "GCN, ref without memory",
                                               "1.0000", "-0.2000", "one draw", "1"),
                                   ElementsAre("GCN + NPQ_W full", "0.6500", "GCN", "0.5000",
                                               "+0.1500", "one draw", "1")));
}

TEST_F(Peptides, AQueueAndItsTwinAreComparedSeedBySeed) {
  // Differences -0.2 and -0.4: mean -0.3, and 12.706 standard errors of 0.1 to both sides.
  add("Baseline", "plain", "none", 1, 0.5);
  add("Baseline", "plain", "none", 2, 0.7);
  add("NPQ_W full", "full", "npq_w", 1, 0.3);
  add("NPQ_W full", "full", "npq_w", 2, 0.3);
  const auto set = runs();
  const auto groups = groups_of(set.runs);
  EXPECT_THAT(
      peptides_reports(groups)[0].twins.rows,
      ElementsAre(ElementsAre("GCN + NPQ_W full", "0.3000 ± 0.0000", "GCN", "0.6000 ± 0.1000",
                              "-0.3000", "[-1.5706,\u00a0+0.9706]", "2")));
}

TEST_F(Peptides, ThePapersNumbersStandBesidePublishedMoleculesOnly) {
  add("NPQ_W", "ref", "npq_w", 1, 0.25);
  const PageOptions options{.command = "npq report x"};
  EXPECT_THAT(html_page(runs(), options),
              AllOf(HasSubstr("0.2500"), HasSubstr("generated"), Not(HasSubstr("0.2678"))));
  EXPECT_THAT(markdown_page(runs(), options), Not(HasSubstr("0.2678")));
  add("NPQ_W", "ref", "npq_w", 1, 0.25, "peptide_structure_dataset.csv.gz");
  const auto set = runs();
  const auto groups = groups_of(set.runs);
  const auto report = peptides_reports(groups).front();
  EXPECT_EQ(report.errors.columns[3].name, "NPQ_W, difference");
  EXPECT_THAT(report.errors.rows,
              ElementsAre(ElementsAre("gcn", "0.2500 (one draw)", "0.2678 ± 0.0023", "-0.0178")));
}

TEST_F(Peptides, AreNotMixedWithScores) {
  add("NPQ_W", "ref", "npq_w", 1, 0.25);
  MadeUpRun{.memory = "none", .metrics = log_of(0.25, 0.5)}.write(folder_ / "dijkstra");
  const auto set = runs();
  const auto groups = groups_of(set.runs);
  EXPECT_THAT(only_peptides(groups, true), SizeIs(1));
  EXPECT_EQ(only_peptides(groups, false)[0].first().algorithm, "dijkstra");
  EXPECT_THAT(html_page(set, {.command = "npq report x"}),
              AllOf(HasSubstr("50.00"), Not(HasSubstr("25.00"))));
}

TEST_F(Peptides, ErrorsHaveTheirUnit) {
  add("NPQ_W", "ref", "npq_w", 1, 0.25);
  const auto set = runs();
  const auto groups = groups_of(set.runs);
  EXPECT_EQ(peptides_table(groups).columns[4].name, "test error (s.d.)");
  EXPECT_THAT(peptides_reports(groups).front().note,
              HasSubstr("in standard deviations of a target"));
  EXPECT_THAT(html_page(set, {.command = "npq report x"}),
              HasSubstr("Validation error <span>standard deviations of a target</span>"));
}

TEST_F(Peptides, OtherModelsThanTheBestHaveAColumnWhereTheyWereTested) {
  add("Baseline", "plain", "none", 1, 0.5);
  add("NPQ_W", "ref", "npq_w", 1, 0.25);
  put_file(folder_ / "NPQ_W1" / "result.json", R"({"epochs": 2, "steps": 2, "val_mae": 0.5,
      "test_mae": 0.25, "average_test_mae": 0.125, "data": "generated", "seconds": 2})");
  const auto set = runs();
  const auto table = peptides_table(groups_of(set.runs));
  EXPECT_EQ(table.columns[5].name, "average (s.d.)");
  EXPECT_EQ(table.rows[0][5], "-");
  EXPECT_EQ(table.rows[1][5], "0.1250");
  EXPECT_EQ(table.columns[6].name, "validation error (s.d.)");
}

TEST_F(Peptides, ShowResultsBeforeWhatTheMemoriesHold) {
  add("NPQ_W", "ref", "npq_w", 1, 0.25);
  put_file(folder_ / "NPQ_W1" / "metrics.jsonl",
           "{\"step\":0,\"epoch\":0,\"val_mae\":0.5,\"seconds\":1,\"memory\":{\"alive\":2}}\n");
  const PageOptions options{.command = "npq report x"};
  for (const auto& text : {html_page(runs(), options), markdown_page(runs(), options)}) {
    ASSERT_THAT(text, HasSubstr("What the memories hold"));
    EXPECT_LT(text.find("0.2500"), text.find("What the memories hold"));
  }
}

TEST_F(Peptides, GoIntoAResultFileAndBack) {
  add("NPQ_W", "ref", "npq_w", 1, 0.25);
  put_file(folder_ / "seed1.json", result_text(runs().runs.front()));
  const auto run = read_result_file(folder_ / "seed1.json");
  EXPECT_EQ(run.test(kOwnTestSet, "best"), 0.25);
  EXPECT_EQ(run.epochs, 2);
  EXPECT_EQ(run.data, "generated");
}

TEST(PaperPeptides, HasTheFifteenNumbers) {
  EXPECT_THAT(paper_peptides().rows, SizeIs(3));
  for (const auto& [processor, cells] : paper_peptides().rows) EXPECT_THAT(cells, SizeIs(5));
  EXPECT_EQ(paper_peptides().error("gatv2", "NPQ_W-P-SV")->mean, 0.2589);
  EXPECT_EQ(paper_peptides().error("gcn", "NPQ_W full"), std::nullopt);
}

}  // namespace
}  // namespace npq::report
