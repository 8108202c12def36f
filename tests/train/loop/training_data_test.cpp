#include "npq/train/loop/training_data.h"

#include <gmock/gmock.h>

#include "npq/clrs/dataset/dataset.h"

namespace npq::train {
namespace {

TrainOptions of_size(std::int64_t batch) {
  TrainOptions options;
  options.algorithm = "bfs";
  options.batch = batch;
  return options;
}

bool same(const model::TensorBatch& a, const model::TensorBatch& b) {
  const auto equal = [](const nn::TensorMap& x, const nn::TensorMap& y) {
    return x.size() == y.size() && std::all_of(x.begin(), x.end(), [&](const auto& entry) {
             return y.at(entry.first).equal(entry.second);
           });
  };
  return a.lengths == b.lengths && equal(a.inputs, b.inputs) && equal(a.hints, b.hints) &&
         equal(a.outputs, b.outputs);
}

TEST(TrainingData, BatchesRunAcrossTheEndOfTheThousandOfficialSamples) {
  const auto options = of_size(300);
  const Task task(options);
  TrainingData data(task, options);
  for (int k = 0; k < 3; ++k) data.next();
  const auto fourth = data.next();  // samples 900 to 999, then 0 to 199
  const auto official =
      clrs::generate(task.algorithm(), clrs::official_split(task.algorithm(), clrs::Split::Train));
  ASSERT_EQ(official.samples.size(), 1000u);
  std::vector<const clrs::Sample*> wanted;
  for (int k = 0; k < 300; ++k) wanted.push_back(&official.samples[(900 + k) % 1000]);
  EXPECT_TRUE(same(fourth, task.batch(wanted)));
}

TEST(TrainingData, TheOfficialDataDoNotDependOnTheSeed) {
  auto options = of_size(4);
  const Task task(options);
  TrainingData one(task, options);
  options.seed = 2;
  TrainingData two(task, options);
  EXPECT_TRUE(same(one.next(), two.next()));
}

TEST(TrainingData, SizesTakeTurns) {
  auto options = of_size(2);
  options.train_sizes = {4, 7};
  const Task task(options);
  TrainingData data(task, options);
  for (const int nodes : {4, 7, 4, 7}) EXPECT_EQ(data.next().nodes(), nodes);
}

TEST(TrainingData, WhatIsMadeOnTheFlyDependsOnTheSeedAlone) {
  auto options = of_size(2);
  options.train_sizes = {5};
  const Task task(options);
  TrainingData one(task, options), again(task, options);
  options.seed = 2;
  TrainingData other(task, options);
  const auto first = one.next();
  EXPECT_TRUE(same(first, again.next()));
  EXPECT_FALSE(same(first, other.next()));
}

TEST(TrainingData, SeekingGoesOnAsIfAllBeforeHadBeenTaken) {
  for (const bool random_positions : {false, true}) {
    for (const auto& sizes : {std::vector<int>{}, std::vector<int>{4, 6, 5}}) {
      auto options = of_size(3);
      options.train_sizes = sizes;
      options.random_positions = random_positions;
      const Task task(options);
      TrainingData steady(task, options), jumping(task, options);
      for (int k = 0; k < 5; ++k) steady.next();
      jumping.seek(5);
      EXPECT_EQ(jumping.position(), 5);
      for (int k = 0; k < 4; ++k) EXPECT_TRUE(same(steady.next(), jumping.next()));
    }
  }
}

TEST(TrainingData, RandomPositionsAreSortedAndNewInEveryBatch) {
  auto options = of_size(2);
  options.random_positions = true;
  const Task task(options);
  TrainingData data(task, options);
  const auto one = data.next().inputs.at("pos"), two = data.next().inputs.at("pos");
  EXPECT_FALSE(one.equal(two));
  for (int k = 1; k < one.size(1); ++k)
    EXPECT_GE(one[0][k].item<float>(), one[0][k - 1].item<float>());
}

}  // namespace
}  // namespace npq::train
