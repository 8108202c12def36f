#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "npq/clrs/samplers/common.h"
#include "tests/clrs/samplers/drawn.h"

namespace npq::clrs {
namespace {

using ::testing::Each;
using ::testing::SizeIs;

TEST(Samplers, KeysAreTheUniformNumbersOfTheStream) {
  EXPECT_EQ(drawn<Keys>(sample_keys, 7, 5).key, random::RandomState(7).uniform(0, 1, 5));
  EXPECT_EQ(drawn<Keys>(sample_max_subarray, 7, 5).key, random::RandomState(7).uniform(-1, 1, 5));
  const SamplerOptions wide{.low = -3, .high = 10};
  EXPECT_EQ(drawn<Keys>(sample_keys, 7, 5, wide).key, random::RandomState(7).uniform(-3, 10, 5));
  EXPECT_EQ(drawn<Keys>(sample_max_subarray, 7, 5, wide).key,
            random::RandomState(7).uniform(-3, 10, 5));
}

TEST(Samplers, SearchedKeysAreSortedBeforeTheTargetIsDrawn) {
  random::RandomState random(3);
  auto key = random.uniform(0, 1, 6);
  std::sort(key.begin(), key.end());
  const auto search = drawn<SortedKeysAndTarget>(sample_sorted_keys_and_target, 3, 6);
  EXPECT_EQ(search.key, key);
  EXPECT_EQ(search.target, random.uniform(0, 1));
}

TEST(Samplers, AnActivityStartsBeforeItEnds) {
  random::RandomState random(3);
  const auto a = random.uniform(0, 1, 20), b = random.uniform(0, 1, 20);
  const auto activities = drawn<Activities>(sample_activities, 3, 20);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(activities.s[i], std::min(a[i], b[i]));
    EXPECT_EQ(activities.f[i], std::max(a[i], b[i]));
  }
}

TEST(Samplers, DeadlinesRunFromOneToTheLastAllowed) {
  EXPECT_THAT(drawn<Tasks>(sample_tasks, 1, 300, {.max_deadline = 2}).d,
              ::testing::AllOf(::testing::Contains(1), ::testing::Contains(2),
                               Each(::testing::AllOf(::testing::Ge(1), ::testing::Le(2)))));
  EXPECT_THAT(drawn<Tasks>(sample_tasks, 1, 300, {.max_deadline = 1}).d, Each(1));
  const auto tasks = drawn<Tasks>(sample_tasks, 1, 8);
  EXPECT_THAT(tasks.d, Each(::testing::AllOf(::testing::Ge(1), ::testing::Le(8))));
  EXPECT_THAT(tasks.w, SizeIs(8));
}

TEST(Samplers, ASearchTreesProbabilitiesAddUpToOneWithAGapMoreThanKeys) {
  const auto tree = drawn<SearchTree>(sample_search_tree, 1, 9);
  EXPECT_THAT(tree.p, SizeIs(9));
  EXPECT_THAT(tree.q, SizeIs(10));
  double sum = 0;
  for (const double p : tree.p) sum += p;
  for (const double q : tree.q) sum += q;
  EXPECT_NEAR(sum, 1, 1e-14);
}

TEST(PairwiseSum, AddsEightRunningSumsInNumpysOrder) {
  // With h = 2^-53, 1 + h rounds back to 1, so a sum from left to right would stay at 1.
  const double h = 0x1p-53;
  EXPECT_EQ(pairwise_sum(std::vector{1.0, h, h, h, h, h, h}), 1.0);  // below eight it is just that
  // ((1+h) + (h+h)) + ((h+h) + (h+h)) = 1 + 6h, and a ninth, 1 + 7h, rounds to the even 1 + 8h.
  EXPECT_EQ(pairwise_sum(std::vector{1.0, h, h, h, h, h, h, h}), 1 + 6 * h);
  EXPECT_EQ(pairwise_sum(std::vector{1.0, h, h, h, h, h, h, h, h}), 1 + 8 * h);
  // Sixteen: 1 stays 1 in the first sum, the other seven hold 2h each.
  EXPECT_EQ(pairwise_sum(std::vector{1.0, h, h, h, h, h, h, h, h, h, h, h, h, h, h, h}),
            1 + 14 * h);
}

TEST(PairwiseSum, SplitsLongArraysAtAMultipleOfEight) {
  // 130 values: 64 and 66. The big ones cancel within the second part before the ones are added.
  std::vector<double> values(130, 0.0);
  values[0] = 1;
  values[64] = 1e20;
  values[72] = -1e20;
  EXPECT_EQ(pairwise_sum(values), 1.0);
  // In one part of the same running sum 1 is lost under 1e20.
  values[8] = 1e20;
  values[16] = -1e20;
  EXPECT_EQ(pairwise_sum(values), 0.0);
}

}  // namespace
}  // namespace npq::clrs
