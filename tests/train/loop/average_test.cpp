#include "npq/train/loop/average.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/full.h>
#include <gmock/gmock.h>

#include "npq/train/loop/algorithm_subject.h"
#include "npq/train/loop/learner.h"
#include "tests/support/error_text.h"
#include "tests/train/loop/small_run.h"

namespace npq::train {
namespace {

using test::error_text;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kFile = "average.safetensors";

std::map<std::string, at::Tensor> copies(const NamedTensors& tensors) {
  std::map<std::string, at::Tensor> all;
  for (const auto& [name, tensor] : tensors) all[name] = tensor.to(at::kDouble).clone();
  return all;
}

TrainOptions averaging(double decay, std::int64_t steps = 20) {
  auto options = small_run(steps);
  options.average = decay;
  return options;
}

TEST(Average, ThreeUpdatesByHand) {
  const auto weights = [](float x) { return NamedTensors{{"x", at::full({1}, x)}}; };
  Average average(weights(10), /*decay=*/0.15);
  average.add(weights(20), 0);  // decay (1 + 0) / (10 + 0): 0.1 * 10 + 0.9 * 20
  EXPECT_FLOAT_EQ(average.mean()[0].second.item<float>(), 19);
  average.add(weights(0), 1);  // 0.15, since 2 / 11 is more: 0.15 * 19
  EXPECT_FLOAT_EQ(average.mean()[0].second.item<float>(), 2.85F);
  average.add(weights(2.85F), 2);
  EXPECT_FLOAT_EQ(average.mean()[0].second.item<float>(), 2.85F);
}

TEST(Average, OfTwentyUpdatesIsTheSumOfAllWeightsTimesTheirShares) {
  auto options = averaging(0.65);  // more than the decay of the first 16 updates
  options.adam.learning_rate = 0.05;
  AlgorithmSubject subject(options);
  std::vector<std::map<std::string, at::Tensor>> weights = {copies(weights_of(subject))};
  Learner learner(subject);
  for (int k = 0; k < 20; ++k) {
    learner.update();
    weights.push_back(copies(weights_of(subject)));
  }
  // From the end: what is left of 1 is the share of all that was before.
  double left = 1;
  std::map<std::string, at::Tensor> sum;
  for (int t = 19; t >= -1; --t) {
    const double decay = t < 0 ? 0 : std::min(0.65, (1.0 + t) / (10.0 + t));
    for (const auto& [name, value] : weights[t + 1]) {
      auto& all = sum[name];
      all = all.defined() ? all + left * (1 - decay) * value : left * (1 - decay) * value;
    }
    left *= decay;
  }
  ASSERT_EQ(learner.state().mean.size(), sum.size());
  int moved = 0;  // no gradient moves the attention of max popping
  for (const auto& [name, mean] : learner.state().mean) {
    // Twenty roundings of float32, relative to weights below 4.
    EXPECT_TRUE(mean.to(at::kDouble).allclose(sum.at(name), 0, 20 * 4 * 6e-8)) << name;
    moved += !mean.to(at::kDouble).equal(weights.back().at(name));
  }
  EXPECT_GT(moved, 20);
}

TEST_F(Run, LeavesTheMeanOfItsWeightsBesideTheLast) {
  const auto trainer = start_run(run(), averaging(0.6), nlohmann::json::object());
  trainer->run({});
  const auto last = load_tensors(run() / "last.safetensors").tensors;
  for (const auto& [name, weight] : weights_of(trainer->subject()))  // the mean was only evaluated
    EXPECT_TRUE(last.at(name).equal(weight)) << name;
  AlgorithmSubject subject(averaging(0.6));
  Learner learner(subject);
  for (int k = 0; k < 20; ++k) learner.update();
  const auto file = load_tensors(run() / kFile);
  EXPECT_EQ(file.metadata.at("step"), "19");
  EXPECT_EQ(file.tensors.size(), learner.state().mean.size());
  for (const auto& [name, mean] : learner.state().mean)
    EXPECT_TRUE(file.tensors.at(name).equal(mean)) << name;
}

TEST_F(Run, WithoutAMeanIsARunOfBefore) {
  train("with", averaging(0.995));
  train("run", averaging(0));
  EXPECT_FALSE(std::filesystem::exists(run() / kFile));
  EXPECT_FALSE(nlohmann::json::parse(content("run", "config.json")).contains("average"));
  for (const auto& [name, tensor] : load_tensors(run() / "state.safetensors").tensors)
    EXPECT_FALSE(name.starts_with("average/")) << name;
  // The mean changes nothing else.
  const auto with = load_tensors(run("with") / "last.safetensors").tensors;
  for (const auto& [name, tensor] : load_tensors(run() / "last.safetensors").tensors)
    EXPECT_TRUE(tensor.equal(with.at(name))) << name;
}

TEST_F(Run, OfBeforeGoesOnWithoutAMean) {
  train("whole", averaging(0));
  train_until("run", averaging(0), 7);  // its config.json does not name the option
  resume_run(run())->run({});
  EXPECT_FALSE(std::filesystem::exists(run() / kFile));
  EXPECT_TRUE(content("run", "last.safetensors") == content("whole", "last.safetensors"));
}

TEST_F(Run, ProlongedItEndsInTheMeanOfOneThatWasAsLongFromTheStart) {
  train("whole", averaging(0.9, 16));
  train("run", averaging(0.9, 9));
  resume_run(run(), {{"steps", "16"}})->run({});
  const auto whole = load_tensors(run("whole") / kFile).tensors;
  for (const auto& [name, mean] : load_tensors(run() / kFile).tensors)
    EXPECT_TRUE(mean.equal(whole.at(name))) << name;
}

TEST_F(Run, WithGivenWeightsKilledBeforeItsFirstStateHasTheSameMean) {
  train("first", averaging(0, 3));
  auto options = averaging(0.9, 4);
  options.init = run("first").string();
  train("whole", options);
  start_run(run(), options, nlohmann::json::object());  // killed before its first update
  resume_run(run())->run({});
  EXPECT_TRUE(content("run", kFile) == content("whole", kFile));
}

TEST_F(Run, AStateWithoutTheMeanThatTheRunKeepsIsRefused) {
  train_until("run", averaging(0.9), 7);
  const auto path = run() / "state.safetensors";
  const auto loaded = load_tensors(path);
  NamedTensors tensors;
  for (const auto& [name, tensor] : loaded.tensors)
    if (!name.starts_with("average/")) tensors.emplace_back(name, tensor);
  save_tensors(path, tensors, loaded.metadata);
  EXPECT_THAT(error_text([&] { resume_run(run()); }),
              AllOf(HasSubstr("has no 'average/"), HasSubstr("belongs to another run")));
}

TEST_F(Run, AMeanWithADecayOfOneIsRefused) {
  EXPECT_EQ(error_text([&] { averaging(1).validate(); }),
            "--average is 1; expected at least 0 and less than 1");
}

}  // namespace
}  // namespace npq::train
