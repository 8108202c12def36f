// The maximum subarray on the book's example.
#include <gmock/gmock.h>

#include "npq/clrs/algorithms/algorithms.h"
#include "tests/support/run_algorithm.h"

namespace npq::clrs {
namespace {

using namespace npq::test;
using ::testing::ElementsAre;

// CLRS, figure 4.3: the best subarray is 18 20 -7 12, sum 43.
const Keys kPriceChanges{{13, -3, -25, 20, -3, -16, -23, 18, 20, -7, 12, -5, -22, 15, -4, 7}};

TEST(FindMaximumSubarrayKadane, FindsTheBooksBestTimeToBuyAndToSell) {
  const auto sample =
      run(find_maximum_subarray_kadane_spec, find_maximum_subarray_kadane, kPriceChanges);
  EXPECT_EQ(marked(sample, "start"), 7);
  EXPECT_EQ(marked(sample, "end"), 10);
  EXPECT_THAT(scalar_over_time(sample, "best_sum"),
              ElementsAre(13, 13, 13, 20, 20, 20, 20, 20, 38, 38, 43, 43, 43, 43, 43, 43));
  EXPECT_THAT(marked_over_time(sample, "best_low"),
              ElementsAre(0, 0, 0, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7));
  EXPECT_THAT(marked_over_time(sample, "best_high"),
              ElementsAre(0, 0, 0, 3, 3, 3, 3, 3, 8, 8, 10, 10, 10, 10, 10, 10));
}

TEST(FindMaximumSubarrayKadane, StartsAnewWhereWhatCameBeforeIsNegative) {
  const auto sample =
      run(find_maximum_subarray_kadane_spec, find_maximum_subarray_kadane, kPriceChanges);
  EXPECT_THAT(scalar_over_time(sample, "sum"),
              ElementsAre(13, 10, -15, 20, 17, 1, -22, 18, 38, 31, 43, 38, 16, 31, 27, 34));
  EXPECT_THAT(marked_over_time(sample, "i"),
              ElementsAre(0, 0, 0, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, 7));
  EXPECT_THAT(marked_over_time(sample, "j"),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

TEST(FindMaximumSubarrayKadane, KeepsANegativeSumThatIsTooSmallToMatter) {
  // -1e-30 + 1 is 1 in double, not less than 1: so the subarray is extended, as the benchmark has
  // it.
  const auto sample =
      run(find_maximum_subarray_kadane_spec, find_maximum_subarray_kadane, {.key = {-1e-30, 1}});
  EXPECT_EQ(marked(sample, "start"), 0);
  EXPECT_EQ(marked(sample, "end"), 1);
}

}  // namespace
}  // namespace npq::clrs
