// What the geometric algorithms promise, on hundreds of random inputs. Coordinates have few bits,
// so that cross products are exact and the sides of lines beyond doubt.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "npq/clrs/algorithms/algorithms.h"
#include "tests/support/run_algorithm.h"

namespace npq::clrs {
namespace {

using namespace npq::test;

int orientation(const Points& p, int a, int b, int c) {
  const double cross =
      (p.x[b] - p.x[a]) * (p.y[c] - p.y[a]) - (p.x[c] - p.x[a]) * (p.y[b] - p.y[a]);
  return (cross > 0) - (cross < 0);
}

bool overlap(double a, double b, double c, double d) {
  return std::max(std::min(a, b), std::min(c, d)) <= std::min(std::max(a, b), std::max(c, d));
}

TEST(SegmentsIntersectLaw, AgreesWithSidesAndBoxesOnASmallGrid) {
  // On a 4 x 4 grid most inputs touch, overlap, share a line or shrink to a point.
  std::mt19937 random(3);
  int intersecting = 0;
  for (int k = 0; k < 1000; ++k) {
    SCOPED_TRACE(testing::Message() << "input " << k);
    Points p{Scalars(4), Scalars(4)};
    for (double& x : p.x) x = random() % 4;
    for (double& y : p.y) y = random() % 4;
    const bool wanted = orientation(p, 0, 1, 2) * orientation(p, 0, 1, 3) <= 0 &&
                        orientation(p, 2, 3, 0) * orientation(p, 2, 3, 1) <= 0 &&
                        overlap(p.x[0], p.x[1], p.x[2], p.x[3]) &&
                        overlap(p.y[0], p.y[1], p.y[2], p.y[3]);
    const auto sample = run(segments_intersect_spec, segments_intersect, p);
    EXPECT_EQ(flag(sample, "intersect"), wanted);
    EXPECT_EQ(sample.length(), 5);
    intersecting += wanted;
  }
  EXPECT_GT(intersecting, 200);
  EXPECT_LT(intersecting, 800);
}

/// law(points) with 3 to 40 points, no three of them on a line.
template <class Law>
void for_many_points(const Law& law) {
  for (const int n : {3, 4, 7, 16, 40})
    for (int k = 0; k < 50; ++k) {
      SCOPED_TRACE(testing::Message() << "n = " << n << ", input " << k);
      std::mt19937 random(100 * n + k);
      Points p;
      while (static_cast<int>(p.x.size()) < n) {
        p.x.push_back((random() >> 12) / 1048576.0 - 0.5);
        p.y.push_back((random() >> 12) / 1048576.0 - 0.5);
        const int c = static_cast<int>(p.x.size()) - 1;
        bool on_a_line = false;
        for (int a = 0; a < c; ++a)
          for (int b = 0; b < a; ++b) on_a_line = on_a_line || orientation(p, a, b, c) == 0;
        if (on_a_line) p.x.pop_back(), p.y.pop_back();
      }
      law(p);
    }
}

TEST(GrahamScanLaw, TheStackIsAConvexHullWithAllPointsInside) {
  for_many_points([](const Points& p) {
    const int n = static_cast<int>(p.x.size());
    const auto sample = run(graham_scan_spec, graham_scan, p);
    const auto in_hull = mask(sample, "in_hull");
    const auto below = pointers(sample, "stack_prev", sample.length() - 1);

    std::vector<int> corners = {marked(sample, "last_stack", sample.length() - 1)};  // clockwise
    while (below[corners.back()] != corners.back()) corners.push_back(below[corners.back()]);
    const int H = static_cast<int>(corners.size());
    EXPECT_EQ(corners.back(), marked(sample, "best", sample.length() - 1));
    EXPECT_EQ(std::count(in_hull.begin(), in_hull.end(), 1), H);
    for (int c = 0; c < H; ++c) {
      EXPECT_EQ(in_hull[corners[c]], 1);
      for (int i = 0; i < n; ++i) EXPECT_LE(orientation(p, corners[c], corners[(c + 1) % H], i), 0);
    }
    // Three records before the scan; then every other point is pushed, and all but the hull popped.
    EXPECT_EQ(sample.length(), 3 + (n - 1) + (n - H));
  });
}

TEST(JarvisMarchLaw, FindsTheSameHullAsGrahamsScan) {
  for_many_points([](const Points& p) {
    const int n = static_cast<int>(p.x.size());
    const auto sample = run(jarvis_march_spec, jarvis_march, p);
    const auto in_hull = mask(sample, "in_hull");
    EXPECT_EQ(in_hull, mask(run(graham_scan_spec, graham_scan, p), "in_hull"));
    EXPECT_EQ(sample.length(), 1 + std::count(in_hull.begin(), in_hull.end(), 1) * (n + 1));
  });
}

}  // namespace
}  // namespace npq::clrs
