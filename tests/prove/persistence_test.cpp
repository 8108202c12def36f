#include "npq/prove/persistence.h"

#include <gmock/gmock.h>

namespace npq::prove {
namespace {

constexpr PersistenceSizes kShort{.longest = 8, .trials = 2, .writes = 256};

TEST(Persistence, AQueueKeepsItsFirstElementToTheBitAndWithinReach) {
  for (const char* memory : {"npq_m", "npq_w", "npq_w_p", "npq_m_sv", "npq_w_plus"}) {
    const auto row = persistence_of(memory, kShort);
    ASSERT_EQ(row.points.size(), 4u) << memory;  // T = 1, 2, 4, 8
    for (const auto& point : row.points) {
      EXPECT_EQ(point.moved, 0) << memory << " after " << point.steps;
      EXPECT_EQ(point.recovered, 1) << memory << " after " << point.steps;
      EXPECT_GT(point.gradient, 0.9) << memory << " after " << point.steps;
    }
    EXPECT_TRUE(row.holds()) << memory;
  }
}

TEST(Persistence, AnOrdinaryReadSharesItsGradientAmongAllElements) {
  const auto row = persistence_of("npq_w_p", kShort);
  EXPECT_LT(row.points.back().ordinary_gradient, 0.5);
  EXPECT_GT(row.points.back().ordinary_gradient, 0.01);
}

TEST(Persistence, GatesForgetStepByStep) {
  const auto row = persistence_of("lstm", kShort);
  EXPECT_FALSE(row.holds());
  for (std::size_t i = 1; i < row.points.size(); ++i)
    EXPECT_LT(row.points[i].gradient, row.points[i - 1].gradient);
  EXPECT_GT(row.points.front().recovered, 0.1);  // one step later some is still there
  EXPECT_LT(row.points.back().recovered, 0.05);
  EXPECT_LT(row.points.back().gradient, 0.5);
}

TEST(Persistence, AStackKeepsItsBottomButHidesItAndAQueueShowsIt) {
  const auto stack = persistence_of("stack", kShort), queue = persistence_of("queue", kShort);
  EXPECT_EQ(stack.points.back().moved, 0);
  EXPECT_LT(stack.points.back().gradient, 0.5);
  EXPECT_TRUE(queue.holds());
}

TEST(Persistence, WhatKeepsNothingDoesNotPersist) {
  for (const char* memory : {"constant", "global_mean"}) {
    const auto row = persistence_of(memory, kShort);
    ASSERT_EQ(row.points.size(), 4u) << memory;
    for (const auto& point : row.points) {
      EXPECT_EQ(point.recovered, 0) << memory << " after " << point.steps;
      EXPECT_EQ(point.gradient, 0) << memory << " after " << point.steps;
    }
    EXPECT_FALSE(row.holds()) << memory;
  }
}

TEST(Persistence, NeedsExactStorageAndAGradient) {
  const PersistenceRow kept{"x", {{.steps = 1, .moved = 0, .recovered = 1, .gradient = 0.5}}},
      moved{"x", {{.steps = 1, .moved = 1e-9, .recovered = 1, .gradient = 1}}},
      faded{"x", {{.steps = 1, .moved = 0, .recovered = 1, .gradient = 0.49}}};
  EXPECT_TRUE(kept.holds());
  EXPECT_FALSE(moved.holds());
  EXPECT_FALSE(faded.holds());
}

}  // namespace
}  // namespace npq::prove
