#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "tests/clrs/samplers/drawn.h"

namespace npq::clrs {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

/// Whether the segments have a common point, solving for where along each of them it lies.
bool meet(const Points& at) {
  const double ax = at.x[1] - at.x[0], ay = at.y[1] - at.y[0];
  const double bx = at.x[3] - at.x[2], by = at.y[3] - at.y[2];
  const double cx = at.x[2] - at.x[0], cy = at.y[2] - at.y[0];
  const double d = ax * by - ay * bx, s = (cx * by - cy * bx) / d, t = (cx * ay - cy * ax) / d;
  return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}

TEST(Samplers, ACoinDecidesWhetherSegmentsCrossWhateverTheLength) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const auto ends = drawn<Points>(sample_segments, seed, 16);
    ASSERT_THAT(ends.x, SizeIs(4));
    EXPECT_EQ(meet(ends), random::RandomState(seed).random_sample() > 0.5) << seed;
    EXPECT_EQ(drawn<Points>(sample_segments, seed, 64).x, ends.x);
  }
}

TEST(Samplers, SegmentsThatRoundingKeepsFromCrossingAreAnErrorNotAnEndlessSearch) {
  // Seed 0 wants a crossing; areas of 1e-400 round to nothing, so no turn is ever seen.
  EXPECT_THAT(test::error_text([] { drawn<Points>(sample_segments, 0, 4, {.high = 1e-200}); }),
              HasSubstr("no crossing segments"));
}

TEST(Samplers, HullPointsLieInTheirDisc) {
  const auto points =
      drawn<Points>(sample_hull_points, 5, 500, {.origin_x = 10, .origin_y = -3, .radius = 0.5});
  double farthest = 0;
  for (int i = 0; i < 500; ++i)
    farthest = std::max(farthest, std::hypot(points.x[i] - 10, points.y[i] + 3));
  EXPECT_LE(farthest, 0.5);
  EXPECT_GT(farthest, 0.49);
}

bool on_a_line(const Points& at) {  // three points
  return (at.x[1] - at.x[0]) * (at.y[2] - at.y[0]) == (at.y[1] - at.y[0]) * (at.x[2] - at.x[0]);
}

TEST(Samplers, NewerVersionsDrawAgainUntilNoThreeHullPointsLieOnALine) {
  // Without decimals the three points lie on a coarse grid, so many draws are refused.
  const SamplerOptions v1{.truncate_decimals = 0};
  const SamplerOptions head{.generator = Generator::Head, .truncate_decimals = 0};
  int refused = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    random::RandomState random(seed), other(seed);
    auto wanted = std::get<Points>(sample_hull_points(random, 3, v1));
    while (on_a_line(wanted)) {
      ++refused;
      wanted = std::get<Points>(sample_hull_points(random, 3, v1));
    }
    const auto points = std::get<Points>(sample_hull_points(other, 3, head));
    EXPECT_EQ(points.x, wanted.x);
    EXPECT_EQ(points.y, wanted.y);
    EXPECT_EQ(other.state(), random.state());
  }
  EXPECT_GT(refused, 0);
}

TEST(Samplers, PointsThatMustLieOnLinesAreAnError) {
  // 30 points on a grid of at most five by five coordinates: two coincide.
  const SamplerOptions head{.generator = Generator::Head, .truncate_decimals = 0};
  EXPECT_THAT(test::error_text([&] { drawn<Points>(sample_hull_points, 1, 30, head); }),
              HasSubstr("larger truncate_decimals"));
}

}  // namespace
}  // namespace npq::clrs
