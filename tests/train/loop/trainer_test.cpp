#include "npq/train/loop/runs.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "npq/base/files/line_log.h"
#include "npq/base/formats/event_record.h"
#include "npq/memory/catalog.h"
#include "npq/train/checkpoints/checkpoint.h"
#include "npq/train/measuring/memory_health.h"
#include "tests/support/error_text.h"
#include "tests/support/small_disk.h"
#include "tests/support/temporary_folder.h"

namespace npq::train {
namespace {

using test::error_text;
using test::file_content;
using test::put_file;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Every consumer of randomness at work, and a queue.
TrainOptions small_run(std::int64_t steps = 12) {
  TrainOptions options;
  options.algorithm = "dijkstra";
  options.model.hidden = 8;
  options.model.dropout = 0.2;
  options.model.teacher_forcing = 0.5;
  options.memory = memory::memory_options("npq_w");
  options.batch = 2;
  options.steps = steps;
  options.evaluate_every = 5;
  options.train_sizes = {4, 6};
  options.random_positions = true;
  return options;
}

class Run : public ::testing::Test {
 protected:
  std::filesystem::path run(const std::string& name = "run") const { return folder_ / name; }
  std::string content(const std::string& name, const std::string& file) const {
    return file_content(folder_ / name / file);
  }
  void train(const std::string& name, const TrainOptions& options) const {
    start_run(run(name), options, nlohmann::json::object())->run({});
  }
  /// Stops after the update number `last`.
  void train_until(const std::string& name, const TrainOptions& options, std::int64_t last) const {
    const auto trainer = start_run(run(name), options, nlohmann::json::object());
    EXPECT_EQ(trainer->run({.stop = [&] { return trainer->next_step() > last; }}), Ending::Stopped);
  }
  std::vector<nlohmann::json> metrics(const std::string& name = "run") const {
    std::vector<nlohmann::json> lines;
    for (const auto& line : read_lines(RunPaths{run(name)}.metrics()))
      lines.push_back(nlohmann::json::parse(line));
    return lines;
  }

  test::TemporaryFolder folder_;
};

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

TEST_F(Run, AResumedRunTakesOtherOptionsAndSaysFromWhichStepOn) {
  train("whole", small_run());
  train_until("run", small_run(), 3);
  const GivenOptions changes = {{"learning-rate", "0.01"}, {"clip", "0.5"}};
  {
    const auto trainer = resume_run(run(), changes);
    EXPECT_EQ(trainer->subject().adam().learning_rate, 0.01);
    trainer->run({.stop = [&] { return trainer->next_step() > 7; }});
  }
  const auto config = [&] { return nlohmann::json::parse(content("run", "config.json")); };
  const nlohmann::json noted = {{"step", 4},
                                {"learning-rate", 0.01},
                                {"clip", 0.5},
                                {"before", {{"learning-rate", 0.001}, {"clip", 1.0}}}};
  EXPECT_EQ(config()["learning-rate"], 0.01);
  EXPECT_EQ(config()["changes"], nlohmann::json({noted}));
  resume_run(run(), changes)->run({});  // asked for once more: nothing new
  EXPECT_EQ(config()["changes"], nlohmann::json({noted}));
  EXPECT_FALSE(content("run", "last.safetensors") == content("whole", "last.safetensors"));
}

TEST_F(Run, KilledAfterAChangeItEndsInTheBitsOfOneThatWasNot) {
  for (const auto* name : {"quiet", "killed"}) train_until(name, small_run(), 3);
  const GivenOptions changes = {{"evaluate-every", "4"}, {"learning-rate", "0.01"}};
  resume_run(run("quiet"), changes)->run({});
  // Killed as soon as the change is noted, and again after updates that no state has seen.
  const auto state = content("killed", "state.safetensors");
  resume_run(run("killed"), changes);
  EXPECT_TRUE(content("killed", "state.safetensors") == state);
  {
    const auto trainer = resume_run(run("killed"));
    trainer->run({.stop = [&] { return trainer->next_step() > 5; }});
  }
  put_file(run("killed") / "state.safetensors", state);
  resume_run(run("killed"))->run({});
  for (const auto* file : {"last.safetensors", "best.safetensors"})
    EXPECT_TRUE(content("killed", file) == content("quiet", file)) << file;
  EXPECT_EQ(metrics("killed").size(), metrics("quiet").size());
}

TEST_F(Run, OtherOptionsForAFinishedRunNeedMoreSteps) {
  train("run", small_run(3));
  EXPECT_THAT(error_text([&] {
                resume_run(run(), {{"learning-rate", "0.1"}});
              }),
              HasSubstr("has made its 3 steps"));
  EXPECT_THAT(error_text([&] { resume_run(run(), {{"learning-rate", "-1"}}); }), HasSubstr("-1"));
  EXPECT_TRUE(std::filesystem::exists(run() / "result.json"));
  resume_run(run(), {{"steps", "4"}, {"learning-rate", "0.1"}})->run({});
  EXPECT_EQ(nlohmann::json::parse(content("run", "config.json"))["changes"][0]["step"], 3);
}

TEST_F(Run, BeginsWithTheWeightsOfAnotherRun) {
  train("first", small_run(3));
  auto options = small_run(2);
  options.adam.learning_rate = 1e-30;  // so that they stay
  options.init = (run("first") / "last.safetensors").string();
  options.seed = 9;
  train("run", options);
  const auto weights = [&](const char* name) {
    return load_tensors(run(name) / "last.safetensors").tensors;
  };
  const auto begun = weights("run");
  for (const auto& [name, tensor] : weights("first")) EXPECT_TRUE(begun.at(name).equal(tensor));
  const auto config = nlohmann::json::parse(content("run", "config.json"));
  EXPECT_EQ(config["init"], options.init);
  EXPECT_EQ(config["init-checksum"],
            load_tensors(run("first") / "last.safetensors").metadata.at("sha256"));
  // A run means its best weights.
  options.init = run("first").string();
  train("best", options);
  EXPECT_TRUE(weights("best").begin()->second.equal(
      load_tensors(run("first") / "best.safetensors").tensors.begin()->second));
}

TEST_F(Run, ResumedBeforeItsFirstStateItBeginsWithTheSameWeightsOrNotAtAll) {
  train("first", small_run(3));
  auto options = small_run(4);
  options.init = run("first").string();
  train("whole", options);
  start_run(run(), options, nlohmann::json::object());  // killed before its first update
  resume_run(run())->run({});
  EXPECT_TRUE(content("run", "last.safetensors") == content("whole", "last.safetensors"));

  start_run(run("late"), options, nlohmann::json::object());
  std::filesystem::remove_all(run("first"));
  auto other = small_run(3);
  other.seed = 5;
  train("first", other);
  EXPECT_THAT(error_text([&] { resume_run(run("late")); }),
              HasSubstr("does not hold the weights any more that the run began with"));
}

TEST_F(Run, WeightsThatDoNotFitAreNamedWithBothShapesAndLeaveNoFolder) {
  train("first", small_run(1));
  auto options = small_run(1);
  options.init = run("first").string();
  options.model.hidden = 4;
  EXPECT_THAT(error_text([&] { train("run", options); }),
              AllOf(HasSubstr("do not fit this network: '"), HasSubstr("8] there and ["),
                    HasSubstr("4] here"), HasSubstr(" more; they need the options")));
  EXPECT_FALSE(std::filesystem::exists(run()));
  options.model.hidden = 8;
  options.memory = {};
  EXPECT_THAT(error_text([&] { train("run", options); }),
              AllOf(HasSubstr("'memory/"), HasSubstr("is of no use here")));
  options.init = run("nowhere").string();
  EXPECT_THAT(error_text([&] { train("run", options); }), HasSubstr("nowhere"));
}

TEST_F(Run, WhatIsAdvisedAfterADivergenceWorks) {
  // From state 4 on a rate that is far too large; it fails some steps later.
  train_until("run", small_run(40), 3);
  auto text = error_text([&] {
    resume_run(run(), {{"evaluate-every", "1000"}, {"learning-rate", "1e18"}})->run({});
  });
  EXPECT_THAT(text, HasSubstr("go on from step 4 with: npq train --resume " + run().string() +
                              " --learning-rate 0.001"));
  EXPECT_EQ(resume_run(run(), {{"learning-rate", "0.001"}})->run({}), Ending::Finished);
}

/// The state of another run in the place of this run's.
std::string other_state(const std::filesystem::path& folder, const TrainOptions& other) {
  start_run(folder / "other", other, nlohmann::json::object())->run({});
  std::filesystem::copy_file(folder / "other" / "state.safetensors",
                             folder / "run" / "state.safetensors",
                             std::filesystem::copy_options::overwrite_existing);
  std::filesystem::remove_all(folder / "other");
  return error_text([&] { resume_run(folder / "run"); });
}

TEST_F(Run, AStateOfAnotherRunIsNamed) {
  train("run", small_run(1));
  auto other = small_run(1);
  other.model.hidden = 4;
  EXPECT_THAT(other_state(folder_.path(), other),
              HasSubstr("was saved with hidden 4, but this run has 8"));
  other = small_run(1);
  other.algorithm = "bellman_ford";
  EXPECT_THAT(
      other_state(folder_.path(), other),
      HasSubstr("was saved with algorithm \"bellman_ford\", but this run has \"dijkstra\""));
  other = small_run(1);
  other.seed = 7;
  EXPECT_THAT(other_state(folder_.path(), other), HasSubstr("was saved with seed 7"));
}

TEST_F(Run, AStateThatIsDamagedOrNoneIsOneSentence) {
  train("run", small_run(1));
  const auto path = run() / "state.safetensors";
  const auto whole = file_content(path);
  const auto refusal = [&] { return error_text([&] { resume_run(run()); }); };
  auto flipped = whole;
  flipped[whole.size() - 9] = static_cast<char>(flipped[whole.size() - 9] ^ 4);
  put_file(path, flipped);
  EXPECT_THAT(refusal(), HasSubstr("does not have the checksum"));
  put_file(path, whole.substr(0, whole.size() / 2));
  EXPECT_THAT(refusal(), HasSubstr("state.safetensors"));
  std::filesystem::copy_file(run() / "best.safetensors", path,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(refusal(), HasSubstr("does not say its 'next_step'; it is no state of a run"));
  auto loaded = load_tensors(run() / "best.safetensors");
  loaded.metadata["next_step"] = "99999999999";
  save_tensors(path, {loaded.tensors.begin(), loaded.tensors.end()}, loaded.metadata);
  EXPECT_THAT(refusal(), HasSubstr("says 'next_step' is 99999999999, but this run ends after 1"));
}

}  // namespace
}  // namespace npq::train
