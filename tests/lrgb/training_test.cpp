// Learning rate, options, learner and run folder of `npq peptides train`.
#include <ATen/TensorOperators.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "npq/base/files/line_log.h"
#include "npq/lrgb/evaluation.h"
#include "npq/lrgb/peptide_subject.h"
#include "npq/lrgb/runs.h"
#include "npq/train/loop/learner.h"
#include "tests/peptides/made_up_dataset.h"
#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/torch_numbers.h"

namespace npq::lrgb {
namespace {

using nlohmann::json;
using npq::test::error_text;
using npq::test::file_content;
using npq::test::made_up_dataset;
using npq::test::numbers;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Plateau, TheRateFallsAfterMoreEpochsWithoutProgressThanPatience) {
  Plateau plateau{.rate = 1};
  std::vector<double> rates;
  for (const double error : {5.0, 4.0, 4.0, 3.9999, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0}) {
    plateau.step(error, /*patience=*/2, /*factor=*/0.5, /*least=*/0.3);
    rates.push_back(plateau.rate);
  }
  // 3.9999 is less than a ten-thousandth better than 4; three bad epochs in a row lower the rate,
  // and the second time the least rate stops it.
  EXPECT_THAT(rates, ElementsAre(1, 1, 1, 1, 1, 1, 1, 0.5, 0.5, 0.5));
  plateau.step(3, 2, 0.5, 0.3);
  EXPECT_EQ(plateau.rate, 0.3);
}

TrainOptions tiny(const std::string& data) {
  TrainOptions options;
  options.data = data;
  options.model.layer = Layer::Full;
  options.model.layers = 2;
  options.model.hidden = 6;
  options.model.memory_width = 4;
  options.model.memory = peptide_memory("npq_w");
  options.epochs = 3;
  options.batch = 3;
  return options;
}

TEST(PeptideTrainOptions, AreTheSameAfterBeingWrittenDown) {
  auto options = tiny("somewhere");
  options.model.base = Base::Gatv2;
  options.model.memory.queue.heads = 3;
  options.seed = 7;
  options.preset = "reference";
  const auto config = to_json(options);
  EXPECT_EQ(config.at("preset"), "reference");
  EXPECT_EQ(config.at("algorithm"), "peptides");
  EXPECT_EQ(config.at("processor"), "gatv2");
  EXPECT_EQ(to_json(train_options(config, "c")), config);
}

TEST(PeptideTrainOptions, ARunOfAnotherKindIsToldApart) {
  auto config = to_json(tiny("somewhere"));
  config["algorithm"] = "dijkstra";
  EXPECT_THAT(error_text([&] { train_options(config, "c"); }),
              AllOf(HasSubstr("'c'"), HasSubstr("--algorithm is 'dijkstra'")));
  config["algorithm"] = "peptides";
  config["layrs"] = 4;
  EXPECT_THAT(error_text([&] { train_options(config, "c"); }), HasSubstr("layrs"));
}

TEST(PeptideSubject, AFewMoleculesAreLearntByHeart) {
  const auto dataset = made_up_dataset(8);
  auto options = tiny("d");
  options.model.memory = peptide_memory("none");
  options.learning_rate = 0.02;
  PeptideSubject subject(options, dataset);
  train::Learner learner(subject);
  EXPECT_EQ(subject.steps_per_unit(), 2);  // four molecules, three at a time
  const double before = subject.mean_error(peptides::Part::Train);
  for (int k = 0; k < 60; ++k) learner.update();
  EXPECT_LT(subject.mean_error(peptides::Part::Train), 0.7 * before);
}

TEST(PeptideSubject, EveryEpochSeesEveryMoleculeOnceInAnotherOrder) {
  // The loss of an epoch is the mean over its molecules: with a learning rate of nearly 0 it does
  // not depend on their order.
  const auto dataset = made_up_dataset(16);
  auto options = tiny("d");
  options.learning_rate = 1e-12;
  options.model.layer = Layer::Ref;  // no batch norm, which would see the batches
  PeptideSubject subject(options, dataset);
  train::Learner learner(subject);
  std::vector<double> first_losses, epochs;
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (int k = 0; k < subject.steps_per_unit(); ++k) {
      const auto report = learner.update();
      if (k == 0) first_losses.push_back(report.loss);
    }
    epochs.push_back(subject.loss_sum());
  }
  EXPECT_NEAR(epochs[1], epochs[0], 1e-5);
  EXPECT_NEAR(epochs[2], epochs[0], 1e-5);
  EXPECT_NE(first_losses[0], first_losses[1]);
}

TEST(PeptideSubject, TellsHowTheQueueIsDoing) {
  const auto dataset = made_up_dataset(8);
  const auto health = PeptideSubject(tiny("d"), dataset).memory_health();
  for (const auto* name : {"alive", "strength", "drained", "saturated", "dead", "sure"})
    EXPECT_TRUE(health.contains(name)) << name;
  auto without = tiny("d");
  without.model.memory = peptide_memory("none");
  EXPECT_TRUE(PeptideSubject(without, dataset).memory_health().empty());
}

TEST(PeptideSubject, APartWithoutMoleculesIsNamed) {
  auto dataset = made_up_dataset(8);
  dataset.split[peptides::Part::Test].clear();
  EXPECT_THAT(error_text([&] { PeptideSubject(tiny("d"), dataset); }),
              HasSubstr("in its part 'test'"));
}

class PeptideRun : public ::testing::Test {
 protected:
  PeptideRun() {
    std::filesystem::create_directories(folder_ / "data");
    peptides::save_dataset(folder_ / "data", made_up_dataset(16));
  }
  TrainOptions options() const { return tiny((folder_ / "data").string()); }
  std::unique_ptr<train::Trainer> start(const std::string& name) const {
    return start_run(folder_ / name, options(), {{"version", "test"}});
  }
  std::string file(const std::string& run, const std::string& name) const {
    return file_content(folder_ / run / name);
  }
  double error_of(const std::string& run, const char* model, peptides::Part part) const {
    const PeptideSubject subject(options(), made_up_dataset(16));
    const auto which = train::find_one(model);
    load_peptide_model(find_peptide_models(RunPaths{folder_ / run}, which).front(), subject);
    return subject.mean_error(part);
  }
  /// Stops after so many steps from now.
  static train::Watchers stop_after(int steps) {
    return {.step = {}, .evaluation = {}, .stop = [left = steps]() mutable { return --left == 0; }};
  }

  npq::test::TemporaryFolder folder_;
};

TEST_F(PeptideRun, LeavesAnOrdinaryRunFolder) {
  std::vector<train::EvaluationReport> epochs;
  EXPECT_EQ(start("run")->run({.step = {},
                               .evaluation = [&](const auto& report) { epochs.push_back(report); },
                               .stop = {}}),
            train::Ending::Finished);
  const auto result = json::parse(file("run", "result.json"));
  ASSERT_EQ(epochs.size(), 3u);
  const auto& best = epochs[result.at("best_epoch").get<std::size_t>()];
  EXPECT_TRUE(best.best);
  for (const auto& epoch : epochs) EXPECT_GE(epoch.validation, best.validation);
  EXPECT_EQ(result.at("val_mae"), best.validation);
  EXPECT_EQ(result.at("test_mae"), best.test.value());
  EXPECT_EQ(result.at("data"), "made up");
  EXPECT_NE(result.at("average_val_mae"), epochs.back().validation);
  EXPECT_EQ(result.at("average_val_mae"), error_of("run", "average", peptides::Part::Val));
  EXPECT_EQ(result.at("average_test_mae"), error_of("run", "average", peptides::Part::Test));
  EXPECT_EQ(json::parse(file("run", "config.json")).at("about").at("version"), "test");
  int epoch_lines = 0;
  for (const auto& line : read_lines(folder_ / "run" / "metrics.jsonl"))
    epoch_lines += json::parse(line).contains("val_mae");
  EXPECT_EQ(epoch_lines, 3);
  for (const auto* name : {"best.safetensors", "last.safetensors", "average.safetensors",
                           "state.safetensors", "metrics.csv", "events.out.tfevents.npq"})
    EXPECT_NE(file("run", name), "") << name;
}

TEST_F(PeptideRun, StoppedAnywhereAndResumedItEndsWithTheSameBits) {
  start("whole")->run({});
  for (const int steps : {1, 3, 4}) {  // inside an epoch of three steps, at its end, in the next
    const auto name = "stopped" + std::to_string(steps);
    EXPECT_EQ(start(name)->run(stop_after(steps)), train::Ending::Stopped);
    const auto again = resume_run(folder_ / name);
    EXPECT_EQ(again->next_step(), steps);
    EXPECT_EQ(again->run({}), train::Ending::Finished);
    for (const auto* weights : {"best.safetensors", "last.safetensors", "average.safetensors"})
      EXPECT_TRUE(file(name, weights) == file("whole", weights)) << weights;
    auto whole = json::parse(file("whole", "result.json")),
         stopped = json::parse(file(name, "result.json"));
    whole.erase("seconds");
    stopped.erase("seconds");
    EXPECT_EQ(stopped, whole);
  }
}

TEST_F(PeptideRun, MoreEpochsAreTheSameAsMoreFromTheStart) {
  auto five = options();
  five.epochs = 5;
  start_run(folder_ / "five", five, {})->run({});
  start("three")->run({});
  resume_run(folder_ / "three", {{"epochs", "5"}})->run({});
  const auto weights = [&](const std::string& run) {
    return numbers(train::load_tensors(folder_ / run / "last.safetensors").tensors.at("head.w"));
  };
  EXPECT_EQ(weights("three"), weights("five"));
  EXPECT_EQ(json::parse(file("three", "config.json")).at("epochs"), 5);
}

TEST_F(PeptideRun, KilledAfterAChangeItEndsInTheBitsOfOneThatWasNot) {
  for (const auto* name : {"quiet", "killed", "plain"}) start(name)->run(stop_after(4));
  const GivenOptions changes = {{"epochs", "4"}, {"patience", "0"}, {"learning-rate", "0.01"}};
  resume_run(folder_ / "quiet", changes)->run({});
  resume_run(folder_ / "killed", changes);  // killed as soon as the change is noted
  resume_run(folder_ / "killed")->run({});
  resume_run(folder_ / "plain", {{"epochs", "4"}})->run({});
  for (const auto* weights : {"best.safetensors", "last.safetensors", "average.safetensors"})
    EXPECT_TRUE(file("killed", weights) == file("quiet", weights)) << weights;
  const auto head = [&](const char* run) {
    return numbers(train::load_tensors(folder_ / run / "last.safetensors").tensors.at("head.w"));
  };
  EXPECT_NE(head("quiet"), head("plain"));
  const auto config = json::parse(file("killed", "config.json"));
  EXPECT_EQ(config["changes"][0]["step"], 4);
  EXPECT_EQ(config["changes"][0]["learning-rate"], 0.01);
  EXPECT_EQ(config["changes"][0]["before"]["learning-rate"], 0.001);
}

TEST_F(PeptideRun, ARateThatTheScheduleHasLoweredCanBeAskedForAgain) {
  auto hasty = options();
  hasty.patience = 0;
  hasty.learning_rate = 0.1;
  hasty.epochs = 8;
  {
    const auto run = start_run(folder_ / "run", hasty, {});
    const auto lowered = [&] { return run->subject().adam().learning_rate < 0.1; };
    EXPECT_EQ(run->run({.step = {}, .evaluation = {}, .stop = lowered}), train::Ending::Stopped);
  }
  const auto again = resume_run(folder_ / "run", {{"learning-rate", "0.1"}});
  EXPECT_EQ(again->subject().adam().learning_rate, 0.1);
}

TEST_F(PeptideRun, BeginsWithTheWeightsAndStatisticsOfAnotherRun) {
  start("first")->run({});
  auto second = options();
  second.init = (folder_ / "first").string();
  second.seed = 3;
  const auto trainer = start_run(folder_ / "second", second, {});
  const auto begun = train::weights_of(trainer->subject());
  const auto first = train::load_tensors(folder_ / "first" / "best.safetensors").tensors;
  for (const auto& [name, tensor] : begun) EXPECT_TRUE(tensor.equal(first.at(name))) << name;
  second.model.hidden = 9;
  EXPECT_THAT(error_text([&] { start_run(folder_ / "third", second, {}); }),
              AllOf(HasSubstr("do not fit this network"), HasSubstr(" there and ")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "third"));
}

TEST_F(PeptideRun, OtherDataAreNoticed) {
  start("run")->run(stop_after(2));
  peptides::save_dataset(folder_ / "data", made_up_dataset(20));
  EXPECT_THAT(error_text([&] { resume_run(folder_ / "run"); }),
              HasSubstr("is not the one that run"));
}

TEST_F(PeptideRun, AStateOfAnotherRunIsRefused) {
  start("a")->run(stop_after(2));
  auto other = options();
  other.seed = 9;
  start_run(folder_ / "b", other, {})->run(stop_after(2));
  std::filesystem::copy_file(folder_ / "a" / "state.safetensors",
                             folder_ / "b" / "state.safetensors",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(error_text([&] { resume_run(folder_ / "b"); }),
              HasSubstr("was saved with seed 0, but this run has 9"));
}

TEST_F(PeptideRun, WithoutDataNoFolderIsLeft) {
  auto lost = options();
  lost.data = (folder_ / "nowhere").string();
  EXPECT_NE(error_text([&] { start_run(folder_ / "run", lost, {}); }), "");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "run"));
}

}  // namespace
}  // namespace npq::lrgb
