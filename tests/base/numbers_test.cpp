// Percentiles, and the numbers that SplitMix64 draws.
#include <gmock/gmock.h>

#include "npq/base/percentile.h"
#include "npq/base/split_mix.h"

namespace npq {
namespace {

TEST(Percentile, IsLinearBetweenRanks) {
  EXPECT_DOUBLE_EQ(percentile({30, 10, 20}, 0), 10);
  EXPECT_DOUBLE_EQ(percentile({30, 10, 20}, 0.25), 15);
  EXPECT_DOUBLE_EQ(percentile({30, 10, 20}, 1), 30);
  EXPECT_DOUBLE_EQ(percentile({7}, 0.025), 7);
}

TEST(SplitMix, DrawsThePublishedNumbers) {
  // The first numbers of Java's SplittableRandom(0), which the authors of SplitMix64 give.
  std::uint64_t state = 0;
  EXPECT_EQ(split_mix(state), 0xe220a8397b1dcdafu);
  EXPECT_EQ(split_mix(state), 0x6e789e6aa1b965f4u);
}

}  // namespace
}  // namespace npq
