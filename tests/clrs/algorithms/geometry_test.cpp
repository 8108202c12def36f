// Geometry on points small enough to follow by hand.
#include <gmock/gmock.h>

#include "npq/clrs/algorithms/algorithms.h"
#include "tests/support/run_algorithm.h"

namespace npq::clrs {
namespace {

using namespace npq::test;
using testing::ElementsAre;

// The corners of a square, counter-clockwise, and a point inside.
const Points kSquare = {.x = {0, 2, 2, 0, 0.5}, .y = {0, 0, 2, 2, 1}};

TEST(SegmentsIntersect, TheDiagonalsOfASquareDo) {
  const auto sample =
      run(segments_intersect_spec, segments_intersect, {.x = {0, 2, 0, 2}, .y = {0, 2, 2, 0}});
  EXPECT_EQ(flag(sample, "intersect"), 1);
  EXPECT_THAT(marked_over_time(sample, "i"), ElementsAre(0, 2, 2, 0, 0));
  EXPECT_THAT(marked_over_time(sample, "j"), ElementsAre(0, 3, 3, 1, 1));
  EXPECT_THAT(marked_over_time(sample, "k"), ElementsAre(0, 0, 1, 2, 3));
  EXPECT_THAT(scalars(sample, "dir", 2), ElementsAre(4, -4, 0, 0));
  EXPECT_THAT(scalars(sample, "dir", 4), ElementsAre(4, -4, -4, 4));
  EXPECT_THAT(mask(sample, "on_seg", 4), ElementsAre(1, 1, 1, 1));
}

TEST(SegmentsIntersect, OneEndingOnTheOtherDoesAndOneOnItsContinuationDoesNot) {
  const auto intersect = [](const Points& points) {
    return flag(run(segments_intersect_spec, segments_intersect, points), "intersect");
  };
  EXPECT_EQ(intersect({.x = {0, 4, 2, 2}, .y = {0, 0, 0, 3}}), 1);
  EXPECT_EQ(intersect({.x = {0, 4, 5, 5}, .y = {0, 0, 0, 3}}), 0);
  EXPECT_EQ(intersect({.x = {0, 1, 2, 3}, .y = {0, 1, 2, 3}}), 0) << "one line, apart";
  EXPECT_EQ(intersect({.x = {0, 2, 1, 3}, .y = {0, 2, 1, 3}}), 1) << "one line, overlapping";
}

TEST(GrahamScan, PushesByAngleAndPopsWhatLiesInside) {
  const auto sample = run(graham_scan_spec, graham_scan, kSquare);
  EXPECT_THAT(mask(sample, "in_hull"), ElementsAre(1, 1, 1, 1, 0));
  EXPECT_THAT(class_over_time(sample, "phase"), ElementsAre(0, 1, 2, 4, 4, 4, 3, 4));
  EXPECT_THAT(marked_over_time(sample, "i"), ElementsAre(0, 0, 0, 1, 2, 4, 3, 3));
  EXPECT_THAT(marked_over_time(sample, "last_stack"), ElementsAre(0, 0, 0, 1, 2, 4, 2, 3));
  EXPECT_THAT(pointers(sample, "stack_prev", 5), ElementsAre(0, 0, 1, 3, 2));
  EXPECT_THAT(pointers(sample, "stack_prev", 7), ElementsAre(0, 0, 1, 2, 4));
}

TEST(GrahamScan, StartsAtTheLowestPointAndTheLeftmostOfThose) {
  const auto sample = run(graham_scan_spec, graham_scan, {.x = {1, 2, 0}, .y = {1, 0, 0}});
  EXPECT_THAT(marked_over_time(sample, "best"), ElementsAre(0, 2, 2, 2, 2));
  EXPECT_THAT(scalars(sample, "atans", 1), ElementsAre(0, 0, 0));
  EXPECT_THAT(scalars(sample, "atans", 2),
              ElementsAre(testing::DoubleEq(0.78539816339744831), 0, 0));
}

TEST(GrahamScan, EndsEvenIfAllPointsLieOnOneLine) {
  const auto in_hull = mask(
      run(graham_scan_spec, graham_scan, {.x = {0, 1, 2, 3, 4}, .y = {0, 1, 2, 3, 4}}), "in_hull");
  EXPECT_EQ(in_hull[0], 1);
  EXPECT_EQ(in_hull[4], 1);
}

TEST(JarvisMarch, WalksRoundTheHullCounterClockwise) {
  const auto sample = run(jarvis_march_spec, jarvis_march, kSquare);
  EXPECT_THAT(mask(sample, "in_hull"), ElementsAre(1, 1, 1, 1, 0));
  ASSERT_EQ(sample.length(), 1 + 4 * (5 + 1));
  // Each corner: one record when it is reached, then one for each point tried.
  const auto last = marked_over_time(sample, "last_point");
  for (int corner = 0; corner < 4; ++corner)
    for (int t = 0; t < 6; ++t) EXPECT_EQ(last[1 + 6 * corner + t], corner);
  const auto endpoint = marked_over_time(sample, "endpoint");
  EXPECT_EQ(endpoint[6], 1);
  EXPECT_EQ(endpoint[12], 2);
  EXPECT_EQ(endpoint[18], 3);
  EXPECT_EQ(endpoint[24], 0);
  EXPECT_EQ(class_of(sample, "phase", 0), 0);
  EXPECT_EQ(class_of(sample, "phase", 1), 1);
}

TEST(JarvisMarch, TriesPointAfterPointAsTheNextCorner) {
  // From the lowest point 2 to the right: 0 first, then 1 lies to the right of the way to 0.
  const auto sample = run(jarvis_march_spec, jarvis_march, {.x = {1, 2, 0}, .y = {1, 0, 0}});
  EXPECT_THAT(marked_over_time(sample, "endpoint"),
              ElementsAre(0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 2));
  EXPECT_THAT(marked_over_time(sample, "i"), ElementsAre(0, 0, 0, 1, 2, 0, 0, 1, 2, 0, 0, 1, 2));
}

}  // namespace
}  // namespace npq::clrs
