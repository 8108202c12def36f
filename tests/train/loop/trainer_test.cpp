#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "npq/base/files/line_log.h"
#include "npq/base/formats/event_record.h"
#include "npq/train/measuring/memory_health.h"
#include "tests/support/error_text.h"
#include "tests/support/small_disk.h"
#include "tests/support/temporary_folder.h"
#include "tests/train/loop/small_run.h"

namespace npq::train {
namespace {

using test::error_text;
using test::put_file;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(Run, StoppedAfterAnyStepAndResumedItEndsInTheSameBits) {
  train("whole", small_run());
  for (const std::int64_t last : {0, 3, 5, 10}) {
    const auto name = "stopped" + std::to_string(last);
    train_until(name, small_run(), last);
    const auto trainer = resume_run(run(name));
    EXPECT_EQ(trainer->next_step(), last + 1);
    EXPECT_EQ(trainer->run({}), Ending::Finished);
    EXPECT_TRUE(content(name, "last.safetensors") == content("whole", "last.safetensors")) << last;
    EXPECT_TRUE(content(name, "best.safetensors") == content("whole", "best.safetensors")) << last;
    EXPECT_TRUE(content(name, "average.safetensors") == content("whole", "average.safetensors"))
        << last;
  }
}

TEST_F(Run, TheLastWeightsAreScoredEvenIfTheRunIsShorterThanTheInterval) {
  train("run", small_run(3));
  const auto result = nlohmann::json::parse(content("run", "result.json"));
  double best = -1;
  for (const auto& line : metrics())
    if (line.contains("val")) best = std::max(best, line["val"].get<double>());
  EXPECT_EQ(metrics().back()["step"], 2);
  EXPECT_TRUE(metrics().back().contains("val"));
  EXPECT_EQ(result["best_val"], best);
}

TEST_F(Run, AnotherSeedEndsInOtherBits) {
  train("one", small_run());
  auto options = small_run();
  options.seed = 2;
  train("two", options);
  EXPECT_FALSE(content("one", "last.safetensors") == content("two", "last.safetensors"));
}

TEST_F(Run, AFolderWithAConfigurationAloneIsResumedFromTheBeginning) {
  train("whole", small_run(3));
  std::filesystem::create_directories(run());
  put_file(run() / "config.json", to_json(small_run(3)).dump());
  resume_run(run())->run({});
  EXPECT_TRUE(content("run", "last.safetensors") == content("whole", "last.safetensors"));
}

TEST_F(Run, WhatWasLoggedBeyondTheSavedStateIsForgotten) {
  train("whole", small_run());
  train_until("run", small_run(), 5);
  // As a killed process leaves it: events and lines behind the state, the last one torn.
  {
    RunLog log(RunPaths{run()});
    log.append(StepReport{.step = 10, .loss = 1}, 0);
  }
  put_file(run() / "metrics.jsonl", content("run", "metrics.jsonl") + "{\"step\":11,\"lo");
  resume_run(run())->run({});
  ASSERT_EQ(metrics().size(), metrics("whole").size());
  for (std::size_t k = 0; k < metrics().size(); ++k) {
    auto a = metrics()[k], b = metrics("whole")[k];
    a.erase("seconds");
    b.erase("seconds");
    EXPECT_EQ(a, b);
  }
  std::vector<std::int64_t> steps;
  const auto bytes = content("run", "events.out.tfevents.npq");
  EventReader reader(bytes, "events");
  while (const auto event = reader.next())
    if (event->file_version.empty()) steps.push_back(event->step);
  EXPECT_THAT(steps,
              ElementsAre(0, 0, 5, 10, 10, 11, 11));  // losses at 0, 10, 11; scores at 0, 5, 10, 11
}

TEST_F(Run, TheLogHasLossesScoresAndTheMemorysHealth) {
  train("run", small_run());
  const auto lines = metrics();
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(lines[0]["step"], 0);
  double sum = 0;
  for (const auto& [name, loss] : lines[0]["losses"].items()) sum += loss.get<double>();
  EXPECT_NEAR(lines[0]["loss"].get<double>(), sum, 1e-4);
  EXPECT_EQ(lines[1]["val"], lines[1]["scores"]["pi"]);
  const auto& memory = lines[1]["memory"];
  EXPECT_GT(memory["alive"], 0);
  EXPECT_GE(memory["strength"], 0);
  for (const char* share : {"drained", "saturated"}) {
    EXPECT_GE(memory[share], 0) << share;
    EXPECT_LE(memory[share], 1) << share;
  }
  EXPECT_THAT(content("run", "metrics.csv"), HasSubstr("memory/alive"));
}

TEST_F(Run, WithoutAMemoryNothingIsSaidOfItsHealth) {
  auto options = small_run(1);
  options.memory = {};
  train("run", options);
  EXPECT_FALSE(metrics().back().contains("memory"));
}

TEST_F(Run, AQueueThatNeverGivesAwayHoldsOneElementMoreAfterEachStep) {
  // -P keeps what it reads: after steps 1, 2, ..., K there are 1, 2, ..., K elements.
  auto options = small_run();
  options.memory = memory::memory_options("npq_w_p");
  const Network network(options);
  auto sampler = network.task.test_set(4);
  sampler.samples = 1;
  const auto data = clrs::generate(network.task.algorithm(), sampler);
  const clrs::Sample* sample[] = {&data.samples[0]};
  const auto health = memory_health(network, network.task.batch(sample));
  const double steps = data.samples[0].length() - 1;
  EXPECT_DOUBLE_EQ(health.at("alive"), (steps + 1) / 2);
  EXPECT_FALSE(health.contains("drained"));
}

TEST_F(Run, MoreStepsCanBeAskedForAndFewerCannot) {
  train("whole", small_run(12));
  train("run", small_run(6));
  EXPECT_THAT(error_text([&] {
                resume_run(run(), {{"steps", "5"}});
              }),
              AllOf(HasSubstr("'next_step' is 6"), HasSubstr("--steps")));
  EXPECT_TRUE(std::filesystem::exists(run() / "result.json"));
  const auto trainer = resume_run(run(), {{"steps", "12"}});
  EXPECT_FALSE(std::filesystem::exists(run() / "result.json"));
  trainer->run({});
  EXPECT_EQ(nlohmann::json::parse(content("run", "config.json"))["steps"], 12);
  // The last update of the shorter run was logged, which the longer run does not do.
  EXPECT_TRUE(content("run", "last.safetensors") == content("whole", "last.safetensors"));
}

TEST_F(Run, AFolderInUseOrTakenIsRefused) {
  const auto trainer = start_run(run(), small_run(), nlohmann::json::object());
  EXPECT_THAT(error_text([&] { resume_run(run()); }), HasSubstr("another process is writing"));
  EXPECT_THAT(error_text([&] { train("run", small_run()); }),
              HasSubstr("another process is writing"));
}

TEST_F(Run, ATakenFolderAndTheRemainsOfARunAreRefused) {
  train("run", small_run(1));
  EXPECT_THAT(error_text([&] { train("run", small_run()); }), HasSubstr("--resume"));
  std::filesystem::remove(run() / "config.json");
  EXPECT_THAT(error_text([&] { train("run", small_run()); }),
              HasSubstr("left of a run without config.json"));
}

TEST_F(Run, AFullDiskLeavesTheLastGoodState) {
  train("whole", small_run());
  train_until("run", small_run(), 3);
  const auto good = content("run", "state.safetensors");
  {
    // Less by more than the digits of its times may differ.
    const test::SmallDisk disk(good.size() - 100);
    const auto trainer = resume_run(run());
    EXPECT_THAT(error_text([&] { trainer->run({}); }), HasSubstr("state.safetensors"));
  }
  EXPECT_TRUE(content("run", "state.safetensors") == good);
  resume_run(run())->run({});
  EXPECT_TRUE(content("run", "last.safetensors") == content("whole", "last.safetensors"));
}

TEST_F(Run, ALossThatIsNoNumberStopsAndKeepsTheState) {
  auto options = small_run();
  options.adam.learning_rate = 1e30;
  const auto text = error_text([&] { train("run", options); });
  // The saved state is that of step 1 itself, which would lose itself again.
  EXPECT_THAT(text, AllOf(HasSubstr("the loss of step 1 is"), HasSubstr("largest gradient"),
                          HasSubstr("start again with: npq train --config " +
                                    (run() / "config.json").string() + " --learning-rate 0.001"),
                          Not(HasSubstr("\n"))));
  EXPECT_EQ(resume_run(run())->next_step(), 1);
}

}  // namespace
}  // namespace npq::train
