#include "npq/train/task.h"

#include <gmock/gmock.h>

#include "npq/model/evaluation.h"
#include "npq/train/network.h"
#include "tests/support/error_text.h"

namespace npq::train {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TrainOptions small(const char* algorithm) {
  TrainOptions options;
  options.algorithm = algorithm;
  options.model.hidden = 8;
  return options;
}

clrs::Dataset some_samples(const Network& network) {
  auto set = network.task.test_set(6);
  set.samples = 3;
  return clrs::generate(network.task.algorithm(), set);
}

std::vector<const clrs::Sample*> pointers_to(const clrs::Dataset& data) {
  std::vector<const clrs::Sample*> pointers;
  for (const auto& sample : data.samples) pointers.push_back(&sample);
  return pointers;
}

// quicksort's permutations and dfs's constant hints pass through the batch's transforms.
TEST(Task, TheFirstHintsAreEnoughForAnEvaluation) {
  for (const char* algorithm : {"dijkstra", "quicksort", "dfs"}) {
    const Network network(small(algorithm));
    const auto data = some_samples(network);
    const auto all = network.task.batch(pointers_to(data));
    const auto first = network.task.batch(pointers_to(data), Task::Hints::First);
    for (const auto& [name, hint] : first.hints) {
      EXPECT_EQ(hint.size(0), 1) << algorithm << " " << name;
      EXPECT_TRUE(hint.equal(all.hints.at(name).narrow(0, 0, 1))) << algorithm << " " << name;
    }
    EXPECT_EQ(first.lengths, all.lengths);
    const auto expected = model::evaluate(network.model, all).raw;
    for (const auto& [name, output] : model::evaluate(network.model, first).raw)
      EXPECT_TRUE(output.equal(expected.at(name))) << algorithm << " " << name;
  }
}

TEST(Task, TrainingNeedsAllHints) {
  const Network network(small("dijkstra"));
  const auto data = some_samples(network);
  const auto first = network.task.batch(pointers_to(data), Task::Hints::First);
  EXPECT_THAT(test::error_text([&] { network.model.unroll(first, {}); }),
              AllOf(HasSubstr("hint"), HasSubstr("has shape [1, 3, 6"), HasSubstr("expected")));
}

}  // namespace
}  // namespace npq::train
