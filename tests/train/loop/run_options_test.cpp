#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "npq/base/files/line_log.h"
#include "npq/train/checkpoints/checkpoint.h"
#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"
#include "tests/train/loop/small_run.h"

namespace npq::train {
namespace {

using test::error_text;
using test::file_content;
using test::put_file;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

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
  EXPECT_THAT(refusal(), HasSubstr("does not say its 'next_step'; it is not the state of a run"));
  auto loaded = load_tensors(run() / "best.safetensors");
  loaded.metadata["next_step"] = "99999999999";
  save_tensors(path, {loaded.tensors.begin(), loaded.tensors.end()}, loaded.metadata);
  EXPECT_THAT(refusal(), HasSubstr("says 'next_step' is 99999999999, but this run ends after 1"));
}

}  // namespace
}  // namespace npq::train
