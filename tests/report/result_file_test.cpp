// A finished run as one small file, and back.
#include "npq/report/result_file.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "npq/base/error.h"
#include "npq/report/run_set.h"
#include "tests/report/made_up_run.h"
#include "tests/support/error_text.h"

namespace npq::report {
namespace {

using npq::test::error_text;
using npq::test::put_file;
using npq::test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class ResultFile : public ::testing::Test {
 protected:
  ResultFile() {
    MadeUpRun{.memory = "npq_w",
              .metrics = log_of(0.25, 0.5) + "{\"step\":10,\"memory\":{\"alive\":2}}\n",
              .result = R"({"steps": 20, "best_step": 10, "best_val": 0.5, "seconds": 4.5})",
              .evaluation = R"({"evaluations": [{"checkpoint": "best", "size": 64, "samples": 2,
                "score": {"value": 0.75, "low": 0.5, "high": 1.0}, "sample_scores": [0.5, 1.0],
                "ablations": {"zero": {"sample_scores": [0.25, 1.0]},
                              "empty": {"sample_scores": [0.25]}, "torn": 3}}]})"}
        .write(folder_ / "run");
    put_file(folder_ / "run/experiment.json",
             R"({"key": "dijkstra/mpnn/NPQ_W/seed1", "flags": {"memory": "npq_w"}, "peak_bytes": 7,
            "why": "to see"})");
  }
  TemporaryFolder folder_;
};

TEST_F(ResultFile, HoldsWhatAReportShowsOfTheRun) {
  const auto run = read_run(folder_ / "run");
  put_file(folder_ / "seed1.json", result_text(run));
  const auto back = read_result_file(folder_ / "seed1.json");
  EXPECT_EQ(back.key, run.key);
  EXPECT_EQ(back.method(), "NPQ_W");
  EXPECT_EQ(back.flags, run.flags);
  EXPECT_EQ(back.options, run.options);
  EXPECT_EQ(back.about, run.about);
  EXPECT_EQ(back.seed, 1);
  EXPECT_EQ(back.steps_done, 20);
  EXPECT_TRUE(back.finished);
  EXPECT_EQ(back.seconds, 4.5);
  EXPECT_EQ(back.peak_bytes, 7);
  EXPECT_EQ(back.best->value, 0.5);
  ASSERT_EQ(back.tests.size(), 1u);
  EXPECT_EQ(back.tests[0].score, 0.75);
  EXPECT_EQ(back.tests[0].high, 1.0);
  EXPECT_THAT(back.tests[0].sample_scores, ElementsAre(0.5, 1.0));
  EXPECT_THAT(back.tests[0].ablated, ElementsAre(Pair("zero", ElementsAre(0.25, 1.0))))
      << "what has not as many graphs is left out";
  EXPECT_EQ(back.why, "to see");
  ASSERT_EQ(back.validation.size(), 2u);
  EXPECT_EQ(back.validation[1].step, 10);
  EXPECT_EQ(back.validation[1].seconds, 4);
  EXPECT_EQ(back.loss[0].value, 4);
  EXPECT_EQ(back.health.at("alive")[0].value, 2);
}

TEST_F(ResultFile, OfARunThatIsReportedTooCountsOnce) {
  put_file(folder_ / "seed1.json", result_text(read_run(folder_ / "run")));
  put_file(folder_ / "seed2.json", "{}");
  const std::vector<std::filesystem::path> asked = {folder_.path()};
  const auto set = read_runs(asked);
  EXPECT_EQ(set.runs.size(), 1u);
  EXPECT_THAT(set.problems,
              ElementsAre(HasSubstr("seed2.json' is not a result that this version")));
}

TEST_F(ResultFile, IsNotMadeOfWhatIsNotFinished) {
  auto run = read_run(folder_ / "run");
  run.finished = false;
  EXPECT_THAT(error_text([&] { result_text(run); }), HasSubstr("is not finished"));
  run.key.clear();
  EXPECT_THAT(error_text([&] { result_text(run); }), HasSubstr("belongs to no experiment"));
}

TEST_F(ResultFile, IsTrustedNoMoreThanAnyFile) {
  auto result = nlohmann::json::parse(result_text(read_run(folder_ / "run")));
  result["curves"]["loss"] = {1, {2, "x", 3}, {0, 1, 2}};
  result["tests"][0]["sample_scores"] = {0.5, nullptr};
  result["tests"].push_back(3);
  put_file(folder_ / "seed1.json", result.dump());
  const auto run = read_result_file(folder_ / "seed1.json");
  EXPECT_EQ(run.loss.size(), 1u);
  EXPECT_TRUE(run.tests[0].sample_scores.empty());
  result["config"].erase("memory");
  put_file(folder_ / "seed1.json", result.dump());
  EXPECT_THAT(error_text([&] { read_result_file(folder_ / "seed1.json"); }),
              HasSubstr("does not name its memory"));
}

}  // namespace
}  // namespace npq::report
