// Whether two segments, from node 0 to 1 and from 2 to 3, intersect: CLRS, 3rd edition,
// section 33.1.
#include <algorithm>

#include "npq/clrs/algorithms/algorithms.h"
#include "npq/clrs/algorithms/geometry/turn.h"

namespace npq::clrs {

Spec segments_intersect_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar), input("x", node, scalar),
      input("y", node, scalar),   output("intersect", graph, mask).as_int64(),
      hint("i", node, mask_one),  hint("j", node, mask_one),
      hint("k", node, mask_one),  hint("dir", node, scalar),
      hint("on_seg", node, mask),
  };
}

namespace {

/// ON-SEGMENT: whether k is in the box around i and j. Only together with a direction of 0 does it
/// mean what it says.
bool on_segment(const Points& points, int i, int j, int k) {
  const auto between = [&](const Scalars& x) {
    return std::min(x[i], x[j]) <= x[k] && x[k] <= std::max(x[i], x[j]);
  };
  return between(points.x) && between(points.y);
}

bool opposite(double a, double b) { return (a > 0 && b < 0) || (a < 0 && b > 0); }

}  // namespace

void segments_intersect(const Points& in, Trace& trace) {
  constexpr int n = 4;
  trace.input({{"pos", positions(n)}, {"x", in.x}, {"y", in.y}});

  Scalars dir(n);
  Mask on_seg(n);
  const auto record = [&](int i, int j, int k) {
    trace.hint({{"i", one_hot(i)},
                {"j", one_hot(j)},
                {"k", one_hot(k)},
                {"dir", dir},
                {"on_seg", on_seg}});
  };
  record(0, 0, 0);

  const auto look = [&](int i, int j, int k) {
    dir[k] = turn(in, i, k, j);  // DIRECTION(i, j, k) = (k - i) x (j - i)
    on_seg[k] = on_segment(in, i, j, k);
    record(i, j, k);
  };
  look(2, 3, 0);  // lines 1-4
  look(2, 3, 1);
  look(0, 1, 2);
  look(0, 1, 3);

  bool intersect = opposite(dir[0], dir[1]) && opposite(dir[2], dir[3]);            // lines 5-6
  for (int k = 0; k < n; ++k) intersect = intersect || (dir[k] == 0 && on_seg[k]);  // lines 7-14
  trace.output({{"intersect", intersect}});
}

}  // namespace npq::clrs
