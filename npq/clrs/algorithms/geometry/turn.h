#pragma once
#include "npq/clrs/samplers/inputs.h"

namespace npq::clrs {

/// The cross product (b - a) x (c - a): positive if the way a, b, c turns left, negative if right,
/// zero if it goes straight. CLRS, 3rd edition, section 33.1.
inline double turn(const Points& points, int a, int b, int c) {
  const auto& [x, y] = points;
  return (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]);
}

/// The lowest point, the leftmost of them if there are several: where both hull algorithms begin.
inline int lowest_point(const Points& points) {
  const auto& [x, y] = points;
  int best = 0;
  for (int i = 1; i < static_cast<int>(x.size()); ++i)
    if (y[i] < y[best] || (y[i] == y[best] && x[i] < x[best])) best = i;
  return best;
}

}  // namespace npq::clrs
