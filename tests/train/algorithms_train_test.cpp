// Everything in the catalogs learns: a few steps lower the loss.
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "npq/clrs/catalog.h"
#include "npq/memory/catalog.h"
#include "npq/train/loop/algorithm_subject.h"
#include "npq/train/loop/learner.h"

namespace npq::train {
namespace {

std::vector<double> losses_of(const TrainOptions& options, int steps) {
  at::set_num_threads(1);
  AlgorithmSubject subject(options);
  Learner learner(subject);
  std::vector<double> losses;
  for (int k = 0; k < steps; ++k) losses.push_back(learner.update().loss);
  return losses;
}

double mean(const double* begin, int count) {
  return std::accumulate(begin, begin + count, 0.0) / count;
}

void expect_falling(const std::vector<double>& losses, int count) {
  for (const double loss : losses) EXPECT_TRUE(std::isfinite(loss));
  EXPECT_LT(mean(losses.data() + losses.size() - count, count), mean(losses.data(), count));
}

std::vector<std::string> all_algorithms() {
  std::vector<std::string> names;
  for (const auto& algorithm : clrs::catalog()) names.emplace_back(algorithm.name);
  for (const auto& task : clrs::structure_tasks()) names.emplace_back(task.name);
  return names;
}

class Algorithms : public ::testing::TestWithParam<std::string> {};

TEST_P(Algorithms, TwentyStepsLowerTheLoss) {
  TrainOptions options;
  options.algorithm = GetParam();
  options.model.hidden = 32;
  options.batch = 4;
  expect_falling(losses_of(options, 20), 5);
}

INSTANTIATE_TEST_SUITE_P(Catalog, Algorithms, ::testing::ValuesIn(all_algorithms()),
                         [](const auto& info) { return info.param; });

std::vector<std::string> all_memories() {
  const auto names = memory::memory_names();
  return {names.begin(), names.end()};
}

class Memories : public ::testing::TestWithParam<std::string> {
 protected:
  void expect_to_learn(const std::string& algorithm) const {
    TrainOptions options;
    options.algorithm = algorithm;
    options.memory = memory::memory_options(GetParam());
    options.model.hidden = 32;
    options.batch = 8;
    expect_falling(losses_of(options, 20), 5);
  }
};

TEST_P(Memories, TwentyStepsOfDijkstraLowerTheLoss) { expect_to_learn("dijkstra"); }

TEST_P(Memories, TwentyStepsOfPriorityQueueLowerTheLoss) {
  if (GetParam() == "oracle") return;  // knows Dijkstra's schedule and no other
  expect_to_learn("priority_queue");
}

INSTANTIATE_TEST_SUITE_P(Catalog, Memories, ::testing::ValuesIn(all_memories()),
                         [](const auto& info) { return info.param; });

TEST(Catalogs, HaveThirtyAlgorithmsThreeTasksAndAtLeastTwentyThreeMemories) {
  EXPECT_EQ(clrs::catalog().size(), 30u);
  EXPECT_EQ(all_algorithms().size(), 33u);
  EXPECT_GE(all_memories().size(), 23u);
}

}  // namespace
}  // namespace npq::train
