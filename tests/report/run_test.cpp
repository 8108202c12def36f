// What a run folder says, and what is said about a damaged one.
#include "npq/report/run.h"

#include <gmock/gmock.h>

#include "npq/base/formats/safetensors_writer.h"
#include "tests/report/made_up_run.h"
#include "tests/support/error_text.h"

namespace npq::report {
namespace {

using npq::test::put_file;
using npq::test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Run, TakesItsNumbersFromTheLogTheResultAndTheEvaluation) {
  const TemporaryFolder folder;
  MadeUpRun{.memory = "npq_w",
            .seed = 2,
            .metrics = log_of(0.5, 0.25),
            .result = R"({"steps": 20, "best_step": 0, "best_val": 0.5, "seconds": 8})",
            .evaluation = R"({"evaluations": [{"checkpoint": "best", "size": 64, "samples": 32,
                "score": {"value": 0.75, "low": 0.5, "high": 1}, "predictions": [[1, 2], {}]}]})"}
      .write(folder.path());
  const auto run = read_run(folder.path());
  EXPECT_EQ(run.algorithm, "dijkstra");
  EXPECT_EQ(run.memory, "npq_w");
  EXPECT_EQ(run.seed, 2);
  EXPECT_TRUE(run.finished);
  EXPECT_EQ(run.steps_done, 20);
  EXPECT_EQ(run.steps_per_second(), 2.5);
  ASSERT_TRUE(run.best);
  EXPECT_EQ(run.best->value, 0.5);
  EXPECT_EQ(run.best->step, 0);
  EXPECT_THAT(run.loss, SizeIs(2));
  EXPECT_EQ(run.validation.back().value, 0.25);
  EXPECT_EQ(run.test(64, "best"), 0.75);
  EXPECT_EQ(run.test(64, "last"), std::nullopt);
  EXPECT_EQ(run.about.at("commit"), "abc123");
  EXPECT_THAT(run.warnings, IsEmpty());
}

TEST(Run, OfEqualValidationsTheFirstIsTheBest) {
  const TemporaryFolder folder;
  MadeUpRun{.metrics = log_of(0.5, 0.5)}.write(folder.path());
  EXPECT_EQ(read_run(folder.path()).best->step, 0);
}

TEST(Run, IgnoresATornLastLineAndCountsStepsUpToTheLastWholeOne) {
  const TemporaryFolder folder;
  MadeUpRun{.metrics = log_of(0.5, 0.25) + R"({"step":15,"loss":1.0,"sec)"}.write(folder.path());
  const auto run = read_run(folder.path());
  EXPECT_THAT(run.loss, SizeIs(2));
  EXPECT_EQ(run.steps_done, 11);
  EXPECT_FALSE(run.finished);
  EXPECT_THAT(run.warnings, IsEmpty());
}

TEST(Run, NamesABrokenLineInTheMiddleAndKeepsTheRest) {
  const TemporaryFolder folder;
  MadeUpRun{.metrics = "{\"step\":0,\"loss\":4}\nrubbish\n{\"step\":10,\"loss\":1e999}\n" +
                       log_of(0.5, 0.25)}
      .write(folder.path());
  const auto run = read_run(folder.path());
  EXPECT_THAT(run.warnings, ElementsAre(HasSubstr("2 of 7 lines are not JSON objects, the first is "
                                                  "line 2")));
  EXPECT_THAT(run.loss, SizeIs(3));
}

TEST(Run, TakesNoNumberThatIsNoneOfOurs) {
  const TemporaryFolder folder;
  MadeUpRun{.metrics =
                "{\"step\":-1,\"loss\":1}\n{\"step\":1.5,\"loss\":1}\n"
                "{\"step\":18446744073709551615,\"loss\":1}\n{\"loss\":1}\n"
                "{\"step\":0,\"loss\":\"1\"}\n{\"step\":0,\"val\":[1]}\n[]\n"}
      .write(folder.path());
  const auto run = read_run(folder.path());
  EXPECT_THAT(run.loss, IsEmpty());
  EXPECT_THAT(run.validation, IsEmpty());
  EXPECT_FALSE(run.best);
}

TEST(Run, CountsTheParametersOfItsWeights) {
  const TemporaryFolder folder;
  MadeUpRun{}.write(folder.path());
  EXPECT_EQ(read_run(folder.path()).parameters, std::nullopt);
  const std::vector<float> numbers(6);
  const auto bytes = std::as_bytes(std::span(numbers));
  write_safetensors(folder / "best.safetensors",
                    std::vector<NamedTensor>{{"a", Dtype::F32, {2, 3}, bytes},
                                             {"b", Dtype::F32, {4}, bytes.first(16)}});
  EXPECT_EQ(read_run(folder.path()).parameters, 10);
  put_file(folder / "best.safetensors", "short");
  const auto damaged = read_run(folder.path());
  EXPECT_EQ(damaged.parameters, std::nullopt);
  EXPECT_THAT(damaged.warnings, ElementsAre(HasSubstr("best.safetensors")));
}

TEST(Run, ReadsHowTheMemoryIsDoingWhereTheLogSaysIt) {
  const TemporaryFolder folder;
  MadeUpRun{.metrics = "{\"step\":0,\"val\":0.5,\"memory\":{\"alive\":3.5,\"drained\":0.25}}\n"}
      .write(folder.path());
  const auto run = read_run(folder.path());
  EXPECT_EQ(run.health.at("alive").at(0).value, 3.5);
  EXPECT_EQ(run.health.at("drained").at(0).value, 0.25);
}

TEST(Run, SaysFromWhichStepOnOtherOptionsHeld) {
  const TemporaryFolder folder;
  MadeUpRun{.more = R"(, "learning-rate": 0.01, "clip": 0.5, "changes": [
      {"step": 10, "learning-rate": 0.1, "before": {"learning-rate": 1.0}},
      {"step": 15, "learning-rate": 0.01, "clip": 0.5,
       "before": {"learning-rate": 0.1, "clip": 2.0}}, 7])"}
      .write(folder / "run");
  const auto command = read_run(folder / "run").command();
  EXPECT_THAT(command, HasSubstr("--clip 2.0 "));
  EXPECT_THAT(command, HasSubstr("--learning-rate 1.0 "));
  EXPECT_THAT(command, HasSubstr("\n# from step 10 on: npq train --resume " +
                                 (folder / "run").string() + " --learning-rate 0.1\n"));
  EXPECT_THAT(command, HasSubstr(" on: npq train --resume " + (folder / "run").string() +
                                 " --clip 0.5 --learning-rate 0.01"));
}

TEST(Run, KeepsTheTestErrorOfPeptidesBesideWhatWasEvaluatedLater) {
  const TemporaryFolder folder;
  MadeUpRun{.evaluation = R"({"evaluations": [
      {"checkpoint": "last", "size": 0, "samples": 9, "score": {"value": 0.5}}]})"}
      .write(folder.path());
  put_file(folder / "config.json",
           R"({"algorithm": "peptides", "processor": "gcn", "memory": "none"})");
  put_file(folder / "result.json", R"({"epochs": 2, "test_mae": 0.25, "average_test_mae": 0.125,
                                        "data": "generated"})");
  const auto run = read_run(folder.path());
  EXPECT_EQ(run.test(kOwnTestSet, "best"), 0.25);
  EXPECT_EQ(run.test(kOwnTestSet, "average"), 0.125);
  EXPECT_EQ(run.test(0, "last"), 0.5);
}

TEST(Run, TakesOnlyTestsThatItsMetricAllows) {
  const nlohmann::json list = {{{"size", 0}, {"score", {{"value", 1.5}}}},
                               {{"size", 16}, {"score", {{"value", 0.5}}}}};
  EXPECT_EQ(test_scores(list, run_kind("dijkstra").metric).size(), 1u);  // scores are shares
  EXPECT_EQ(test_scores(list, run_kind("peptides").metric).size(), 2u);  // errors may be anything
}

TEST(Run, WarnsOfTestsOfAModelThatHasBeenTrainedFurther) {
  const TemporaryFolder folder;
  const auto warnings = [&](int steps) {
    MadeUpRun{.result = fmt::format(R"({{"steps": {}}})", steps),
              .evaluation = R"({"evaluations": [{"checkpoint": "last", "size": 8, "step": 19,
                                                 "score": {"value": 0.5}}]})"}
        .write(folder.path());
    return read_run(folder.path()).warnings;
  };
  EXPECT_EQ(warnings(20), std::vector<std::string>{});
  EXPECT_THAT(warnings(40),
              ElementsAre(HasSubstr("after 20 steps, but the run has gone on to 40")));
}

TEST(Run, TakesOfTestsAtTheSameSizeTheOneOnMostSamples) {
  const TemporaryFolder folder;
  MadeUpRun{.evaluation = R"({"evaluations": [
      {"checkpoint": "best", "size": 64, "samples": 2, "score": {"value": 0.25}},
      {"checkpoint": "best", "size": 64, "samples": 32, "score": {"value": 0.75}},
      {"checkpoint": "best", "size": 64, "samples": 8, "score": {"value": 0.5}}]})"}
      .write(folder.path());
  const auto run = read_run(folder.path());
  EXPECT_THAT(run.tests, SizeIs(1));
  EXPECT_EQ(run.test(64, "best"), 0.75);
  EXPECT_EQ(run.warnings, std::vector<std::string>{});
}

TEST(Run, SaysWithWhichCommandItIsTrainedAgain) {
  const TemporaryFolder folder;
  MadeUpRun{.more = R"(,"random-positions": true, "enforce-permutations": false,
                        "train-sizes": [4, 7], "note": "it's $HOME")"}
      .write(folder.path());
  EXPECT_EQ(read_run(folder.path()).command(),
            "npq train --algorithm dijkstra --batch 32 --hidden 128 --memory none "
            "--note 'it'\\''s $HOME' --processor mpnn --random-positions --seed 1 --steps 20 "
            "--train-sizes 4,7");
}

TEST(Run, OnPeptidesHasACommandOfItsOwn) {
  report::Run run{.algorithm = "peptides"};
  run.options = {{"algorithm", "peptides"}, {"data-checksum", "abc"}, {"layer", "ref"}};
  EXPECT_EQ(run.command(), "npq peptides train --layer ref");
}

TEST(Run, SaysWhatItLeavesOutOfADamagedFolder) {
  const TemporaryFolder folder;
  MadeUpRun{.metrics = log_of(0.5, 0.25),
            .result = R"({"steps": "many"})",
            .evaluation = R"({"evaluations": [
                {"checkpoint": "best", "size": 64, "score": {"value": 0.75}},
                {"checkpoint": "best", "size": "big", "score": {"value": 0.75}},
                {"checkpoint": "best", "size": 8, "score": "good"},
                {"checkpoint": "best", "size": 16, "score": {"value": 1e300}}]})"}
      .write(folder.path());
  const auto run = read_run(folder.path());
  EXPECT_THAT(run.tests, SizeIs(1));
  EXPECT_THAT(
      run.warnings,
      ElementsAre(HasSubstr("result.json': \"steps\" is not a whole number"),
                  HasSubstr("evaluation.json': 3 of 4 evaluations have no size with a score")));
}

TEST(Run, SaysWithWhichCommandItIsTestedAgain) {
  report::Run run;
  run.folder = "runs/a b";
  EXPECT_EQ(run.test_command(), "");
  run.tests = {{.checkpoint = "best", .size = 128, .samples = 32},
               {.checkpoint = "best", .size = 64, .samples = 32},
               {.checkpoint = "last", .size = 64, .samples = 32}};
  EXPECT_EQ(run.test_command(), "npq evaluate 'runs/a b' --sizes 64,128 --samples 32");
}

}  // namespace
}  // namespace npq::report
