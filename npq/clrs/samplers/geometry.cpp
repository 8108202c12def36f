#include <cmath>
#include <numbers>

#include "npq/base/error.h"
#include "npq/clrs/samplers/common.h"

namespace npq::clrs {
namespace {

/// Whether a, b, c turn against the clock.
bool counterclockwise(const Points& at, int a, int b, int c) {
  return (at.y[c] - at.y[a]) * (at.x[b] - at.x[a]) > (at.y[b] - at.y[a]) * (at.x[c] - at.x[a]);
}

/// Whether segment 0-1 crosses segment 2-3.
bool cross(const Points& at) {
  return counterclockwise(at, 0, 2, 3) != counterclockwise(at, 1, 2, 3) &&
         counterclockwise(at, 0, 1, 2) != counterclockwise(at, 0, 1, 3);
}

/// Whether some three points lie on a line, or two on each other: a hull would hang on rounding.
bool nearly_collinear(const Points& at) {
  constexpr double kLeastArea = 1e-12;  // twice that of the triangle
  const std::size_t n = at.x.size();
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      const double bx = at.x[b] - at.x[a], by = at.y[b] - at.y[a];
      for (std::size_t c = b + 1; c < n; ++c) {
        if (std::abs(bx * (at.y[c] - at.y[a]) - by * (at.x[c] - at.x[a])) < kLeastArea) return true;
      }
    }
  }
  return false;
}

/// Evenly over a disc: the angle is uniform, the radius the root of a uniform number.
Points draw_disc(random::RandomState& random, int count, const SamplerOptions& options) {
  const auto n = static_cast<std::size_t>(count);
  const Scalars theta = random.uniform(0, 2 * std::numbers::pi, n);
  const Scalars r = random.uniform(0, 1, n);
  Points points{Scalars(n), Scalars(n)};
  for (std::size_t i = 0; i < n; ++i) {
    const double distance = options.radius * std::sqrt(r[i]);
    points.x[i] = truncated(options, distance * std::cos(theta[i]) + options.origin_x);
    points.y[i] = truncated(options, distance * std::sin(theta[i]) + options.origin_y);
  }
  return points;
}

}  // namespace

// The length plays no role: two segments have four ends. A fair coin says whether they cross.
Inputs sample_segments(random::RandomState& random, int, const SamplerOptions& options) {
  options.validate();
  const auto [low, high] = range_of(options);
  const bool wanted = random.binomial(1, 0.5) == 1;
  // Four random ends cross about every fourth time. A range so narrow or so wide that rounding
  // leaves no crossing would never end.
  constexpr int kAttempts = 100000;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Points ends{random.uniform(low, high, 4), random.uniform(low, high, 4)};
    if (cross(ends) != wanted) continue;
    return Points{truncated(options, std::move(ends.x)), truncated(options, std::move(ends.y))};
  }
  throw UsageError(
      "no {} segments were found between {} and {}; give a low and high of ordinary size",
      wanted ? "crossing" : "separate", low, high);
}

Inputs sample_hull_points(random::RandomState& random, int length, const SamplerOptions& options) {
  check(options, length, 1, "a sample needs a point");
  if (options.generator == Generator::V1) return draw_disc(random, length, options);
  constexpr int kAttempts = 1000;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Points points = draw_disc(random, length, options);
    if (!nearly_collinear(points)) return points;
  }
  throw Error(
      "in {} attempts to draw {} points some three lay on a line each time; give fewer "
      "points or a larger truncate_decimals",
      kAttempts, length);
}

}  // namespace npq::clrs
