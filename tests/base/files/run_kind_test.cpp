#include "npq/base/files/run_kind.h"

#include <gmock/gmock.h>

namespace npq {
namespace {

TEST(RunKind, IsToldByTheAlgorithmOfARun) {
  EXPECT_EQ(run_kind("dijkstra").command, "train");
  EXPECT_EQ(run_kind("peptides").command, "peptides train");
  EXPECT_EQ(run_kind("dijkstra").length(), "steps");
  EXPECT_EQ(run_kind("peptides").length(), "epochs");
  EXPECT_EQ(run_kind("peptides").best_at(), "best_epoch");
}

TEST(Metric, KnowsWhichOfTwoValuesIsBetterAndWhichCannotBe) {
  const auto &score = kAlgorithmRun.metric, &error = kPeptidesRun.metric;
  EXPECT_TRUE(score.is_better(0.3, 0.2));
  EXPECT_FALSE(score.is_better(0.2, 0.2));
  EXPECT_TRUE(error.is_better(0.2, 0.3));
  EXPECT_FALSE(error.is_better(0.3, 0.3));
  EXPECT_FALSE(score.holds(1.01));
  EXPECT_FALSE(score.holds(-0.01));
  EXPECT_TRUE(error.holds(1.01));
}

}  // namespace
}  // namespace npq
