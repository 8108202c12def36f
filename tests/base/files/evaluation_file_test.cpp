// The tests of a run add up in its evaluation.json.
#include "npq/base/files/evaluation_file.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"

namespace npq {
namespace {

using nlohmann::json;
using test::error_text;
using test::file_content;
using test::put_file;
using test::TemporaryFolder;
using ::testing::HasSubstr;

json test(const char* checkpoint, int size, double score, int samples = 8, int step = 500) {
  return {{"checkpoint", checkpoint},
          {"size", size},
          {"samples", samples},
          {"seed", 1},
          {"step", step},
          {"score", {{"value", score}}}};
}

class EvaluationFile : public ::testing::Test {
 protected:
  void keep(json tests) {
    keep_evaluations(paths_, {{"algorithm", "bfs"}, {"evaluations", std::move(tests)}});
  }
  /// "best 8 8: 0.5" for each test that is kept.
  std::vector<std::string> kept() const {
    std::vector<std::string> lines;
    const auto all = json::parse(file_content(paths_.evaluation()));
    for (const auto& one : all["evaluations"])
      lines.push_back(one["checkpoint"].get<std::string>() + " " + one["size"].dump() + " " +
                      one["samples"].dump() + ": " + one["score"]["value"].dump());
    return lines;
  }

  TemporaryFolder folder_;
  RunPaths paths_{folder_.path()};
};

TEST_F(EvaluationFile, AddsOtherSizesAndReplacesTheSameOnes) {
  keep({test("best", 64, 0.5), test("last", 64, 0.25)});
  keep({test("best", 16, 0.75), test("best", 64, 0.625)});
  EXPECT_THAT(kept(),
              ::testing::ElementsAre("best 16 8: 0.75", "best 64 8: 0.625", "last 64 8: 0.25"));
  EXPECT_EQ(json::parse(file_content(paths_.evaluation()))["algorithm"], "bfs");
}

TEST_F(EvaluationFile, KeepsTestsOnOtherSamplesApart) {
  keep({test("best", 64, 0.5, 32)});
  keep({test("best", 64, 0.25, 2)});
  EXPECT_THAT(kept(), ::testing::ElementsAre("best 64 32: 0.5", "best 64 2: 0.25"));
}

TEST_F(EvaluationFile, ForgetsTheTestsOfAModelThatHasBeenTrainedFurther) {
  keep({test("best", 16, 0.5), test("last", 16, 0.5), test("last", 64, 0.5)});
  keep({test("last", 16, 0.75, 8, /*step=*/999)});
  EXPECT_THAT(kept(), ::testing::ElementsAre("best 16 8: 0.5", "last 16 8: 0.75"));
}

TEST_F(EvaluationFile, KeepsWhatTheSameTestHasFoundBeforeBesideItsScore) {
  auto ablated = test("best", 16, 0.5);
  ablated["ablations"] = {{"zero", 0.25}, {"empty", 0.125}};
  ablated["predictions"] = {1, 2, 3};
  keep({ablated});
  keep({test("best", 16, 0.5)});
  ablated["ablations"] = {{"zero", 0.375}};
  keep({ablated});
  const auto all = json::parse(file_content(paths_.evaluation()))["evaluations"];
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0]["ablations"], json({{"zero", 0.375}, {"empty", 0.125}}));
  EXPECT_EQ(all[0]["score"]["value"], 0.5);
  EXPECT_FALSE(all[0].contains("predictions"));
}

TEST_F(EvaluationFile, TakesAnEmptyFileForNone) {
  // A shell has made it: npq evaluate RUN --json > RUN/evaluation.json
  put_file(paths_.evaluation(), "");
  keep({test("best", 16, 0.5)});
  EXPECT_THAT(kept(), ::testing::ElementsAre("best 16 8: 0.5"));
}

TEST_F(EvaluationFile, LeavesADamagedFileAsItIs) {
  for (const char* damaged : {"{\"evalu", "{}", R"({"evaluations": 3})"}) {
    put_file(paths_.evaluation(), damaged);
    EXPECT_THAT(error_text([&] { check_evaluations_can_be_kept(paths_); }),
                HasSubstr("evaluation.json"));
    EXPECT_THAT(error_text([&] { keep({test("best", 16, 0.5)}); }), HasSubstr("evaluation.json"));
    EXPECT_EQ(file_content(paths_.evaluation()), damaged);
  }
}

TEST_F(EvaluationFile, LosesNothingOfSeveralWritersAtOnce) {
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 4; ++writer)
    writers.emplace_back([&, writer] {
      for (int i = 0; i < 8; ++i) keep({test("best", 8 * writer + i + 1, 0.5)});
    });
  for (auto& writer : writers) writer.join();
  EXPECT_EQ(kept().size(), 32u);
}

}  // namespace
}  // namespace npq
