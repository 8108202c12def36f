// Tests of a run at further sizes are added to those that are there.
#include "npq/experiment/evaluation.h"

#include <gmock/gmock.h>

#include "npq/base/files/json_file.h"
#include "tests/experiment/fake_program.h"
#include "tests/support/error_text.h"

namespace npq::experiment {
namespace {

using npq::test::error_text;
using npq::test::file_content;
using npq::test::put_file;
using npq::test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

class FurtherSizes : public ::testing::Test {
 protected:
  static Plan plan(std::vector<int> sizes, std::optional<std::int64_t> samples = {}) {
    return small_plan({.only = "bfs.*Base", .sizes = std::move(sizes), .samples = samples});
  }
  Places places() const { return {folder_ / "out", {}}; }
  void work(const Plan& plan) {
    const auto outcome =
        work_through(plan, {.places = places(), .program = program_.path()}, Watch{});
    EXPECT_EQ(outcome.finished, 1);
    EXPECT_THAT(outcome.failed, IsEmpty());
  }
  State state(const Plan& plan) const { return status_of(plan, plan.runs[0], places()).state; }
  std::filesystem::path run() const { return folder_ / "out/bfs/mpnn/Baseline/seed1"; }
  std::vector<int> stored() const {
    std::vector<int> sizes;
    const auto file = json_or_null(file_content(run() / "evaluation.json"));
    for (const auto& one : file.at("evaluations")) sizes.push_back(one.at("size").get<int>());
    return sizes;
  }

  TemporaryFolder folder_;
  FakeProgram program_;
};

TEST_F(FurtherSizes, AloneAreTestedAndComeToThoseThatAreThere) {
  work(plan({8, 32}));
  work(plan({8, 16}));
  EXPECT_THAT(program_.calls().back(), HasSubstr(" --sizes 16 "));
  EXPECT_THAT(stored(), ElementsAre(8, 16, 32));
  EXPECT_THAT(read_record(run())->evaluated->tests.sizes, ElementsAre(8, 16, 32));
  EXPECT_FALSE(std::filesystem::exists(run() / ".evaluation.json.part"));
  // Nothing is left to do for any part of it.
  for (const auto& sizes : {std::vector{8}, {16}, {8, 16, 32}})
    EXPECT_EQ(state(plan(sizes)), State::Done);
  EXPECT_EQ(program_.count("evaluate"), 3);
}

TEST_F(FurtherSizes, OnOtherSamplesReplaceWhatIsThere) {
  work(plan({8, 16}, 4));
  EXPECT_EQ(state(plan({8}, 5)), State::Trained);
  EXPECT_EQ(state(plan({8})), State::Trained);  // as many as the official sets have
  work(plan({8}, 5));
  EXPECT_THAT(stored(), ElementsAre(8, 16));
  EXPECT_THAT(read_record(run())->evaluated->tests.samples, ElementsAre(Pair(8, 5), Pair(16, 4)));
  EXPECT_EQ(state(plan({16}, 4)), State::Done);
  EXPECT_EQ(state(plan({8, 16}, 4)), State::Trained);
}

TEST_F(FurtherSizes, WithFurtherAblationsReplaceWhatIsThere) {
  auto ablated = plan({8, 16});
  ablated.runs[0].tests.ablate = {"zero", "empty"};
  work(plan({8}));
  EXPECT_EQ(state(ablated), State::Trained);
  work(ablated);
  EXPECT_THAT(program_.calls().back(), HasSubstr(" --sizes 16 --ablate zero,empty "));
  EXPECT_EQ(program_.count("evaluate"), 3) << "8 again, with them";
  EXPECT_EQ(state(plan({8, 16})), State::Done) << "more than asked for";
  ablated.runs[0].tests.ablate = {"shuffle"};
  EXPECT_EQ(state(ablated), State::Trained);
}

TEST_F(FurtherSizes, OfARecordWithOneNumberOfSamplesAreUnderstood) {
  work(plan({8, 16}, 4));
  auto record = json_or_null(file_content(run() / "experiment.json"));
  record["evaluated"]["samples"] = 4;
  put_file(run() / "experiment.json", record.dump());
  EXPECT_EQ(state(plan({8, 16}, 4)), State::Done);
  EXPECT_EQ(state(plan({8, 16}, 5)), State::Trained);
}

TEST_F(FurtherSizes, AfterMoreStepsReplaceWhatIsThere) {
  work(plan({8}));
  auto longer = plan({16});
  longer.runs[0].steps = 9;
  work(longer);
  EXPECT_THAT(stored(), ElementsAre(16));
}

TEST_F(FurtherSizes, AreAllTestedWhereTheFileIsNotWhatTheRecordSays) {
  work(plan({8}));
  put_file(run() / "evaluation.json", "{\"evalu");
  work(plan({8, 16}));
  EXPECT_THAT(stored(), ElementsAre(8, 16));
  put_file(run() / "evaluation.json", R"({"evaluations": [{"size": 8}, 3]})");
  work(plan({32}));
  EXPECT_THAT(stored(), ElementsAre(32));
  EXPECT_THAT(read_record(run())->evaluated->tests.sizes, ElementsAre(32));
}

TEST_F(FurtherSizes, OfATestThatIsTornLeaveTheOldFileAsItWas) {
  work(plan({8}));
  const auto before = file_content(run() / "evaluation.json");
  put_file(run() / "part", "{\"evaluations\": [{\"size\": 1");
  EXPECT_THAT(error_text([&] { add_evaluation(run() / "part", run() / "evaluation.json", {8}); }),
              HasSubstr("part' is malformed JSON"));
  EXPECT_EQ(file_content(run() / "evaluation.json"), before);
}

}  // namespace
}  // namespace npq::experiment
