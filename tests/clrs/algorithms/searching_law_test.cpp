// What must hold of the searching algorithms on any input.
#include <gmock/gmock.h>

#include <algorithm>
#include <bit>

#include "npq/clrs/algorithms/algorithms.h"
#include "tests/clrs/algorithms/random_inputs.h"
#include "tests/support/run_algorithm.h"

namespace npq::clrs {
namespace {

using namespace npq::test;

TEST(MinimumLaw, MarksTheFirstSmallestOfTheKeysSeenSoFar) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto key = random.keys(n);
    const auto sample = run(minimum_spec, minimum, {key});
    ASSERT_EQ(sample.length(), n);
    for (int t = 0; t < n; ++t) {
      const auto smallest = std::min_element(key.begin(), key.begin() + t + 1);
      ASSERT_EQ(marked(sample, "min_h", t), smallest - key.begin());
      ASSERT_EQ(marked(sample, "i", t), t);
    }
    EXPECT_EQ(marked(sample, "min"), marked(sample, "min_h", n - 1));
    EXPECT_EQ(pointers(sample, "pred_h", n - 1), pointers(sample, "pred_h", 0));
  });
}

SortedKeysAndTarget sorted_keys_and_target(RandomInputs& random, int n) {
  auto key = random.keys(n);
  std::ranges::sort(key);
  const double target = random.below(2) ? key[random.below(n)] : 2.2 * random.uniform() - 0.1;
  return {key, target};
}

TEST(BinarySearchLaw, ReturnsTheLowerBoundOrTheLastPlace) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto in = sorted_keys_and_target(random, n);
    const auto bound = std::ranges::lower_bound(in.key, in.target) - in.key.begin();
    const auto sample = run(binary_search_spec, binary_search, in);
    EXPECT_EQ(marked(sample, "return"), std::min<int>(bound, n - 1));
  });
}

TEST(BinarySearchLaw, HalvesARangeThatAlwaysHoldsTheAnswer) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto sample = run(binary_search_spec, binary_search, sorted_keys_and_target(random, n));
    const int log2 = std::bit_width(static_cast<unsigned>(n)) - 1;
    EXPECT_GE(sample.length(), log2 + 1);
    EXPECT_LE(sample.length(), log2 + 2);
    int width = n;
    for (int t = 0; t < sample.length(); ++t) {
      const int low = marked(sample, "low", t), high = marked(sample, "high", t);
      ASSERT_LE(low, marked(sample, "return"));
      ASSERT_GE(high, marked(sample, "return"));
      ASSERT_EQ(marked(sample, "mid", t), (low + high) / 2);
      if (t > 0) {
        ASSERT_LE(high - low + 1, (width + 1) / 2);
      }
      width = high - low + 1;
    }
    EXPECT_EQ(width, 1);
  });
}

TEST(QuickselectLaw, FindsAKeyOfRankHalfTheSize) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto key = random.keys(n);
    const double median = key[marked(run(quickselect_spec, quickselect, {key}), "median")];
    EXPECT_LE(std::ranges::count_if(key, [&](double k) { return k < median; }), n / 2);
    EXPECT_GT(std::ranges::count_if(key, [&](double k) { return k <= median; }), n / 2);
  });
}

TEST(QuickselectLaw, EndsWithTheMedianInPlaceAndItsRankTheTarget) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto sample = run(quickselect_head_spec, quickselect, {random.keys(n)});
    const int last = sample.length() - 1;
    EXPECT_EQ(marked(sample, "i", last), marked(sample, "median"));
    EXPECT_EQ(marked(sample, "pivot", last), marked(sample, "median"));
    EXPECT_EQ(scalar(sample, "i_rank", last), scalar(sample, "target", last));
    EXPECT_EQ(scalar(sample, "target", 0), (n / 2) / static_cast<double>(n));
  });
}

TEST(QuickselectLaw, TakesAtLeastOneRecordPerKeyAndAtMostOnePerPair) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const int length = run(quickselect_spec, quickselect, {random.keys(n)}).length();
    EXPECT_GE(length, n);
    EXPECT_LE(length, n * (n + 1) / 2);
  });
}

TEST(QuickselectLaw, DoesTheSameWhetherOrNotThePivotIsShown) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const Keys in{random.keys(n)};
    const auto older = run(quickselect_spec, quickselect, in);
    const auto newer = run(quickselect_head_spec, quickselect, in);
    ASSERT_EQ(older.length(), newer.length());
    EXPECT_EQ(marked(older, "median"), marked(newer, "median"));
    for (const char* name : {"p", "r", "i", "j"})
      ASSERT_EQ(marked_over_time(older, name), marked_over_time(newer, name)) << name;
    for (const char* name : {"i_rank", "target"})
      ASSERT_EQ(scalar_over_time(older, name), scalar_over_time(newer, name)) << name;
    for (int t = 0; t < older.length(); ++t)
      ASSERT_EQ(pointers(older, "pred_h", t), pointers(newer, "pred_h", t));
  });
}

}  // namespace
}  // namespace npq::clrs
