// What folders say about a run, also if they are damaged.
#include "npq/experiment/status.h"

#include <gmock/gmock.h>

#include "npq/experiment/catalog.h"
#include "npq/experiment/progress.h"
#include "npq/experiment/speeds.h"
#include "tests/experiment/fake_program.h"

namespace npq::experiment {
namespace {

using npq::test::put_file;
using npq::test::TemporaryFolder;
using ::testing::HasSubstr;

TEST(LogEnd, IsTheNewestOfEveryKindWithoutTheTornLine) {
  const TemporaryFolder folder;
  std::string log = "{\"step\":0,\"val\":0.25,\"seconds\":1}\n";
  log += "nonsense\n{\"step\":10,\"loss\":2.5,\"seconds\":3.5}\n{\"step\":20,\"loss\":1";
  put_file(folder / "metrics.jsonl", log);
  const auto end = last_progress(folder / "metrics.jsonl", {});
  EXPECT_EQ(end.step, 11);
  EXPECT_EQ(end.seconds, 3.5);
  EXPECT_EQ(end.loss, 2.5);
  EXPECT_EQ(end.validation, 0.25);
  EXPECT_EQ(last_progress(folder / "nothing", {}).step, 0);
}

TEST(LogEnd, OfPeptidesCountsEpochs) {
  const TemporaryFolder folder;
  put_file(folder / "metrics.jsonl",
           "{\"step\":10,\"loss\":0.5,\"seconds\":1}\n"
           "{\"step\":12,\"epoch\":0,\"val_mae\":0.75,\"seconds\":2}\n"
           "{\"step\":20,\"loss\":0.25,\"seconds\":3}\n");
  PlannedRun run;
  run.algorithm = kPeptides;
  const auto end = last_progress(folder / "metrics.jsonl", run);
  EXPECT_EQ(end.step, 1);
  EXPECT_EQ(end.seconds, 2);
  EXPECT_EQ(end.loss, 0.25);
  EXPECT_EQ(end.validation, 0.75);
}

TEST(LogEnd, OfALongLogIsFoundWithoutReadingItAll) {
  const TemporaryFolder folder;
  std::string log;
  for (int step = 0; step < 3000; ++step)
    log += "{\"step\":" + std::to_string(step) + ",\"loss\":1}\n";
  put_file(folder / "metrics.jsonl", log);
  EXPECT_EQ(last_progress(folder / "metrics.jsonl", {}).step, 3000);
}

TEST(StatusOf, ADamagedRunIsOneSentenceAndTheOthersAreStillKnown) {
  const TemporaryFolder folder;
  const auto plan = small_plan({.only = "bfs"});
  const auto run = folder / plan.runs[0].folder().string();
  std::filesystem::create_directories(run);
  put_file(run / "experiment.json", "{\"key\": 3");
  const Places places{folder.path(), {}};
  const auto status = status_of(plan, plan.runs[0], places);
  EXPECT_EQ(status.state, State::Foreign);
  EXPECT_THAT(status.note, HasSubstr("experiment.json' is malformed JSON"));
  put_file(run / "experiment.json", "{\"key\": 3}");
  EXPECT_THAT(status_of(plan, plan.runs[0], places).note, HasSubstr("not what npq experiment"));
  EXPECT_EQ(status_of(plan, plan.runs[1], places).state, State::Waiting);
}

TEST(StatusOf, ARunStartedByHandIsForeign) {
  const TemporaryFolder folder;
  const auto plan = small_plan();
  const auto run = folder / plan.runs[0].folder().string();
  std::filesystem::create_directories(run);
  put_file(run / "config.json", "{\"steps\": 5}");
  EXPECT_THAT(status_of(plan, plan.runs[0], {folder.path(), {}}).note,
              HasSubstr("that npq experiment did not start"));
}

TEST(Estimate, TakesSpeedsSeenHereThenMeasuredOnesThenTheTable) {
  const TemporaryFolder folder;
  const auto plan = small_plan({.steps = 100, .flags = {{"hidden", "128"}}});
  // 30 updates of bfs/mpnn/Baseline took 60 seconds: 70 are left.
  const auto run = folder / plan.runs[0].folder().string();
  std::filesystem::create_directories(run);
  put_file(run / "config.json", "{\"steps\": 100}");
  put_file(run / "experiment.json",
           R"({"key": "bfs/mpnn/Baseline/seed1", "flags": {"hidden": "128"}})");
  put_file(run / "metrics.jsonl", "{\"step\":29,\"loss\":1,\"seconds\":60}\n");
  const auto one = estimate(plan, {folder.path(), {}}, [](const PlannedRun& planned) {
    return planned.algorithm == "dfs" ? std::optional(0.5) : std::nullopt;
  });
  EXPECT_EQ(one.measured, 3);
  EXPECT_EQ(one.stored, 1);
  EXPECT_DOUBLE_EQ(one.seconds, 70 * 2 + 2 * 100 * 0.5 + 100 * *stored_speed(plan.runs[1]));
}

TEST(Estimate, PricesNeitherWhatIsTrainedNorWhatIsForeign) {
  const TemporaryFolder folder;
  const FakeProgram program;
  const Places places{folder.path(), {}};
  work_through(small_plan({.only = "bfs"}), {.places = places, .program = program.path()}, {});
  const auto others = estimate(small_plan({.flags = {{"hidden", "8"}}}), places);
  EXPECT_EQ(others.foreign, 2);
  EXPECT_EQ(others.to_do(), 2);
  EXPECT_EQ(others.stored, 2);
  const auto further = estimate(small_plan({.only = "bfs", .sizes = {16}}), places);
  EXPECT_EQ(further.trained, 2);
  EXPECT_EQ(further.to_do(), 2);
  EXPECT_EQ(further.seconds, 0);
}

TEST(Estimate, OfTheSmallestModelIsSomeMillisecondsAnUpdate) {
  const auto plan = small_plan({.flags = {{"hidden", "1"}, {"batch", "1"}}});
  EXPECT_DOUBLE_EQ(*stored_speed(plan.runs[0]), 0.003);
}

TEST(Estimate, OfPeptidesIsInProportionToTheMoleculesAtHand) {
  const TemporaryFolder folder;
  const auto plan =
      make_plan(find_experiment("peptides"),
                {.only = "gcn/Baseline", .flags = {{"data", folder.path().string()}}});
  const auto published = *stored_speed(plan.runs[0]);
  put_file(folder / "peptides.safetensors", std::string(770000, ' '));
  EXPECT_DOUBLE_EQ(*stored_speed(plan.runs[0]), published / 100);
}

TEST(Estimate, TheTableKnowsEveryModelOfTheBuiltInExperiments) {
  for (const auto& name : built_in_names())
    for (const auto& run : make_plan(find_experiment(name)).runs)
      EXPECT_TRUE(stored_speed(run).has_value()) << run.key();
  const auto plan = small_plan();
  // Half the hidden size, a quarter of the work.
  const auto half = small_plan({.flags = {{"hidden", "64"}}});
  const auto full = small_plan({.flags = {{"hidden", "128"}}});
  EXPECT_DOUBLE_EQ(*stored_speed(half.runs[0]) * 4, *stored_speed(full.runs[0]));
}

}  // namespace
}  // namespace npq::experiment
