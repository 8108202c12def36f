// Differences over seeds: paired where seeds are shared, and what one draw says.
#include "npq/report/tables/seeds.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/report/made_up_models.h"

namespace npq::report {
namespace {

using ::testing::ElementsAre;

/// Of the second model against the first; `first_seed` is that of the second model's first score.
SeedDifference difference_of(const std::vector<double>& others, const std::vector<double>& scores,
                             int first_seed = 1) {
  auto runs =
      runs_of({{.memory = "none", .scores = others}, {.memory = "npq_w", .scores = scores}});
  for (std::size_t k = others.size(); k < runs.size(); ++k) *runs[k].seed += first_seed - 1;
  const auto groups = groups_of(runs);
  return *seed_difference(groups[1], groups[0], {64, "best"});
}

TEST(IntervalOverSeeds, IsThatOfStudent) {
  // Mean 2, standard error 1 / sqrt(3), and 4.303 of them for two degrees of freedom.
  const auto found = interval_over_seeds(std::vector<double>{1, 2, 3});
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->low, 2 - 4.303 / std::sqrt(3.0), 1e-9);
  EXPECT_NEAR(found->high, 2 + 4.303 / std::sqrt(3.0), 1e-9);
  EXPECT_FALSE(interval_over_seeds(std::vector<double>{1}).has_value());
  EXPECT_FALSE(interval_over_seeds({}).has_value());
}

TEST(SeedDifference, PairsTheSeedsThatBothHave) {
  // Seeds 2 and 3 of both: 0.7 - 0.6 and 0.9 - 0.5.
  const auto found = difference_of({0.1, 0.6, 0.5}, {0.7, 0.9, 0.0}, 2);
  EXPECT_THAT(found.seeds, ElementsAre(2, 3));
  EXPECT_THAT(found.other_seeds, ElementsAre(2, 3));
  EXPECT_NEAR(found.mean(), 0.25, 1e-12);
  EXPECT_NEAR(found.score.mean, 0.8, 1e-12);
  ASSERT_TRUE(found.interval.has_value());
  EXPECT_NEAR(found.interval->low, 0.25 - 12.706 * 0.15, 1e-9);
  EXPECT_EQ(found.seeds_text(), "2");
}

TEST(SeedDifference, ComparesTheMeansOfSeedsThatAreNotShared) {
  // Both have the variance 0.02 and two seeds: standard error 0.1 * sqrt(2), two degrees of freedom.
  const auto found = difference_of({0.0, 0.2}, {0.5, 0.7}, 3);
  EXPECT_NEAR(found.mean(), 0.5, 1e-12);
  ASSERT_TRUE(found.interval.has_value());
  EXPECT_NEAR(found.interval->high, 0.5 + 4.303 * 0.1 * std::sqrt(2.0), 1e-9);
  EXPECT_EQ(found.seeds_text(), "2 against 2");
  // If only one of the two varies, its own single degree of freedom is left.
  const auto still = difference_of({0.2, 0.2}, {0.5, 0.7}, 3);
  EXPECT_NEAR(still.interval->high, 0.4 + 12.706 * 0.1, 1e-9);
  // Twice the same score has no spread, and nothing is divided by it.
  EXPECT_EQ(difference_of({0.25, 0.25}, {0.5, 0.5}, 3).interval->low, 0.25);
}

TEST(SeedDifference, OfOneDrawHasNoInterval) {
  const auto shared = difference_of({0.1, 0.2}, {0.9});
  EXPECT_FALSE(shared.interval.has_value());
  EXPECT_EQ(shared.seeds_text(), "1");
  const auto apart = difference_of({0.1, 0.2}, {0.9}, 3);
  EXPECT_FALSE(apart.interval.has_value());
  EXPECT_EQ(apart.seeds_text(), "1 against 2");
}

TEST(SeedDifference, NeedsTheSameTest) {
  const auto runs = runs_of(
      {{.memory = "none", .scores = {0.5}}, {.memory = "npq_w", .scores = {0.5}, .size = 128}});
  const auto groups = groups_of(runs);
  EXPECT_FALSE(seed_difference(groups[1], groups[0], {64, "best"}).has_value());
  EXPECT_FALSE(seed_difference(groups[0], groups[0], {64, "last"}).has_value());
}

}  // namespace
}  // namespace npq::report
