// The searching algorithms on arrays small enough to follow by hand.
#include <gmock/gmock.h>

#include "npq/clrs/algorithms/algorithms.h"
#include "tests/support/run_algorithm.h"

namespace npq::clrs {
namespace {

using namespace npq::test;
using ::testing::DoubleEq;
using ::testing::ElementsAre;

TEST(Minimum, MovesOnlyToStrictlySmallerKeys) {
  const auto sample = run(minimum_spec, minimum, {.key = {3, 1, 2, 1, 0}});
  EXPECT_THAT(marked_over_time(sample, "min_h"), ElementsAre(0, 1, 1, 1, 4));
  EXPECT_THAT(marked_over_time(sample, "i"), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(pointers(sample, "pred_h", 4), ElementsAre(0, 0, 1, 2, 3));
  EXPECT_EQ(marked(sample, "min"), 4);
}

TEST(BinarySearch, HalvesTheRangeUntilOnePlaceIsLeft) {
  // 0.3 lies between 0.2 and 0.4: 0..3, then 2..3, then 2 alone.
  const auto sample =
      run(binary_search_spec, binary_search, {.key = {0.1, 0.2, 0.4, 0.8}, .target = 0.3});
  EXPECT_THAT(marked_over_time(sample, "low"), ElementsAre(0, 2, 2));
  EXPECT_THAT(marked_over_time(sample, "high"), ElementsAre(3, 3, 2));
  EXPECT_THAT(marked_over_time(sample, "mid"), ElementsAre(1, 2, 2));
  EXPECT_EQ(scalar(sample, "target"), 0.3);
  EXPECT_EQ(marked(sample, "return"), 2);
}

TEST(BinarySearch, ReturnsTheLastPlaceIfAllKeysAreSmaller) {
  const auto sample =
      run(binary_search_spec, binary_search, {.key = {0.1, 0.2, 0.4, 0.8}, .target = 0.9});
  EXPECT_EQ(marked(sample, "return"), 3);
}

TEST(BinarySearch, ReturnsTheFirstOfEqualKeys) {
  const auto sample =
      run(binary_search_spec, binary_search, {.key = {0.1, 0.2, 0.2, 0.2}, .target = 0.2});
  EXPECT_EQ(marked(sample, "return"), 1);
}

// 2 3 1: the pivot 1 goes to slot 0 (1 3 2, nodes 2 1 0), so the median has rank 0 in the rest 3 2;
// there the pivot 2 goes to slot 1 (nodes 2 0 1).
const Keys kTwoThreeOne{{2, 3, 1}};

TEST(Quickselect, PartitionsThePartThatHoldsTheMedian) {
  const auto sample = run(quickselect_spec, quickselect, kTwoThreeOne);
  ASSERT_EQ(sample.length(), 5);
  EXPECT_THAT(marked_over_time(sample, "p"), ElementsAre(0, 0, 2, 1, 0));
  EXPECT_THAT(marked_over_time(sample, "r"), ElementsAre(2, 2, 0, 0, 1));
  EXPECT_THAT(marked_over_time(sample, "i"), ElementsAre(0, 0, 2, 1, 0));
  EXPECT_THAT(marked_over_time(sample, "j"), ElementsAre(0, 1, 0, 1, 1));
  EXPECT_THAT(pointers(sample, "pred_h", 2), ElementsAre(1, 2, 2));
  EXPECT_THAT(pointers(sample, "pred_h", 4), ElementsAre(2, 0, 2));
  EXPECT_EQ(marked(sample, "median"), 0);
}

TEST(Quickselect, CountsTheRankFromSlotZeroWhilePartitioningAndFromPAtItsEnd) {
  const auto sample = run(quickselect_spec, quickselect, kTwoThreeOne);
  EXPECT_THAT(scalar_over_time(sample, "i_rank"), ElementsAre(0, 0, 0, DoubleEq(1 / 3.0), 0));
  EXPECT_THAT(scalar_over_time(sample, "target"),
              ElementsAre(DoubleEq(1 / 3.0), DoubleEq(1 / 3.0), DoubleEq(1 / 3.0), 0, 0));
}

TEST(Quickselect, ShowsThePivotInNewerVersionsOnly) {
  const auto newer = run(quickselect_head_spec, quickselect, kTwoThreeOne);
  EXPECT_EQ(newer.spec().back().name, "pivot");
  EXPECT_THAT(marked_over_time(newer, "pivot"), ElementsAre(2, 2, 2, 0, 0));
  EXPECT_EQ(run(quickselect_spec, quickselect, kTwoThreeOne).spec().back().name, "target");
}

}  // namespace
}  // namespace npq::clrs
