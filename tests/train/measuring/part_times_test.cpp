#include "npq/train/measuring/part_times.h"

#include <gmock/gmock.h>

namespace npq::train {
namespace {

TEST(PartTimes, OnThreadsAreTheLongestChain) {
  const PartTimes times{.parts = {3, 2, 2, 1}, .rest = 0.5};
  EXPECT_EQ(times.seconds(), 8.5);
  EXPECT_EQ(seconds_on(times, 1), 8.5);
  EXPECT_EQ(seconds_on(times, 2), 4.5);  // 3 + 1 beside 2 + 2
  EXPECT_EQ(seconds_on(times, 3), 3.5);
  EXPECT_EQ(seconds_on(times, 16), 3.5);
}

TEST(PartTimes, AreThoseOfAllPartsOfABatch) {
  TrainOptions options;
  options.algorithm = "bfs";
  options.model.hidden = 16;
  options.batch = 4;
  options.train_sizes = {4};
  const auto times = time_parts(options, 3, Clock::Wall);
  EXPECT_THAT(times.parts, testing::AllOf(testing::SizeIs(2), testing::Each(testing::Gt(0))));
  EXPECT_GT(times.rest, 0);
}

}  // namespace
}  // namespace npq::train
