// npq bench and npq check, as a user calls them.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/run_command.h"

namespace npq::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

json answer_of(std::vector<std::string> args) {
  args.emplace_back("--json");
  const auto answer = run_npq(args);
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  return json::parse(answer.out);
}

TEST(BenchTrain, SaysWhatScriptsRelyOn) {
  const auto found = answer_of({"bench", "train", "--hidden", "8", "--batch", "2", "--nodes", "4",
                                "--repeats", "1", "--threads", "1", "--memory", "npq_w"});
  for (const char* key :
       {"median_seconds", "best_seconds", "peak_bytes", "gflops", "sgemm_gflops", "times_products"})
    EXPECT_GT(found.at(key), 0) << key;
  EXPECT_LE(found["best_seconds"], found["median_seconds"]);
  EXPECT_LE(found["best_times_bound"], found["times_bound"].get<double>() * (1 + 1e-9));
  EXPECT_EQ(found["threads"], 1);
  EXPECT_TRUE(found["simd"].is_string());
  EXPECT_EQ(found["nodes"], 4);
  // Five units of 2 B N N H H in each step.
  EXPECT_NEAR(found["gflops"].get<double>() * found["median_seconds"].get<double>(),
              5 * 2e-9 * 2 * 4 * 4 * 8 * 8 * found["steps"].get<double>(), 1e-9);
}

TEST(BenchEvaluate, CountsTwoUnitsAStep) {
  const auto found = answer_of({"bench", "evaluate", "--hidden", "8", "--batch", "2", "--nodes",
                                "6", "--threads", "1", "--path", "composed"});
  EXPECT_EQ(found["path"], "composed");
  EXPECT_NEAR(found["gflops"].get<double>() * found["median_seconds"].get<double>(),
              2 * 2e-9 * 2 * 6 * 6 * 8 * 8 * found["steps"].get<double>(), 1e-9);
  EXPECT_GE(found["peak_bytes"], found["idle_bytes"]);
}

TEST(BenchEvaluate, StopsAfterTheStepsAskedFor) {
  const auto found = answer_of({"bench", "evaluate", "--hidden", "8", "--batch", "2", "--nodes",
                                "6", "--threads", "1", "--steps", "2", "--cpu-time"});
  EXPECT_EQ(found["steps"], 2);
  EXPECT_EQ(found["clock"], "cpu");
}

TEST(BenchProcessor, TimesOneRoundOfMessagesOfASparseGraph) {
  const auto found = answer_of({"bench", "processor", "--processor", "gat", "--nodes", "300",
                                "--degree", "4", "--hidden", "8", "--threads", "1"});
  EXPECT_GT(found["best_seconds"], 0);
  EXPECT_NEAR(found["mean_degree"].get<double>(), 4, 0.5);  // 600 edges, give or take 25
}

TEST(BenchKernels, ProvesEachKernelEqualToTheComposedPathBeforeItIsTimed) {
  const auto found =
      answer_of({"bench", "kernels", "--nodes", "5", "--batch", "2", "--repeats", "1", "--quiet"});
  EXPECT_GE(found["results"].size(), 14u);
  for (const auto& row : found["results"]) {
    EXPECT_EQ(row["same"], true) << row["kernel"];
    EXPECT_GT(row["composed_seconds"], 0);
  }
}

TEST(BenchKernels, TimesOnlyThoseAskedFor) {
  const auto found = answer_of({"bench", "kernels", "--only", "npq_w,pointers", "--nodes", "4",
                                "--batch", "1", "--repeats", "1", "--quiet"});
  std::vector<std::string> kernels;
  for (const auto& row : found["results"]) kernels.push_back(row["kernel"]);
  EXPECT_THAT(kernels, ::testing::ElementsAre("pointers", "pointers", "npq_w", "npq_w"));
}

TEST(Check, ComparesEveryCombinationAndSaysSo) {
  const auto found = answer_of({"check", "--processor", "mpnn,gat", "--memory", "none,npq_w",
                                "--steps", "1", "--batch", "1", "--hidden", "8", "--quiet"});
  EXPECT_EQ(found["results"].size(), 4u);
  EXPECT_EQ(found["within"], true);
  for (const auto& row : found["results"]) EXPECT_LE(row["gradient"], found["bounds"]["gradient"]);
}

TEST(Check, WrongWordsAreUsageErrors) {
  const auto refusal = [](std::vector<std::string> args) {
    const auto answer = run_npq(args);
    EXPECT_EQ(answer.exit_code, 2) << answer.err;
    return answer.err;
  };
  EXPECT_THAT(refusal({"check", "--memory", "none,npq_v"}), HasSubstr("known: none, npq_m"));
  EXPECT_THAT(refusal({"check", "--steps", "0"}), HasSubstr("--steps is 0"));
  EXPECT_THAT(refusal({"bench", "train", "--path", "fast"}), HasSubstr("fused or composed"));
  EXPECT_THAT(refusal({"bench", "evaluate", "--simd", "sse"}), HasSubstr("avx2"));
  EXPECT_THAT(refusal({"bench", "kernels", "--only", "mesages"}), HasSubstr("'messages'"));
  EXPECT_THAT(refusal({"bench", "train", "--nodes", "1"}), HasSubstr("needs at least"));
  EXPECT_THAT(refusal({"bench", "evaluate", "--steps", "-1"}), HasSubstr("--steps is -1"));
  EXPECT_THAT(refusal({"bench", "processor", "--processor", "gatt"}), HasSubstr("'gat'"));
  EXPECT_THAT(refusal({"bench", "processor", "--degree", "-1"}), HasSubstr("--degree is -1"));
}

}  // namespace
}  // namespace npq::test
