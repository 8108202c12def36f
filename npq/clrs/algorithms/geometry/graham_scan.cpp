// Graham's scan for the convex hull: CLRS, 3rd edition, section 33.3.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "npq/clrs/algorithms/algorithms.h"
#include "npq/clrs/algorithms/geometry/turn.h"

namespace npq::clrs {
namespace {

enum Phase { kStart, kLowest, kSorted, kPop, kPush, kPhases };

}  // namespace

Spec graham_scan_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),
      input("x", node, scalar),
      input("y", node, scalar),
      output("in_hull", node, mask),
      hint("best", node, mask_one),
      hint("atans", node, scalar),
      hint("in_hull_h", node, mask),
      hint("stack_prev", node, pointer),
      hint("last_stack", node, mask_one),
      hint("i", node, mask_one),
      hint("phase", graph, categorical).of_classes(kPhases),
  };
}

void graham_scan(const Points& in, Trace& trace) {
  const auto& x = in.x;
  const auto& y = in.y;
  const int n = static_cast<int>(x.size());
  trace.input({{"pos", positions(n)}, {"x", x}, {"y", y}});

  Mask in_hull(n);
  Scalars atans(n);
  Pointers stack_prev = identity(n);  // the stack: each node points to the one below it
  int best = 0, last = 0;
  const auto record = [&](int i, Phase phase) {
    trace.hint({{"best", one_hot(best)},
                {"atans", atans},
                {"in_hull_h", in_hull},
                {"stack_prev", stack_prev},
                {"last_stack", one_hot(last)},
                {"i", one_hot(i)},
                {"phase", Class{phase}}});
  };
  record(0, kStart);

  best = last = lowest_point(in);  // line 1
  in_hull[best] = 1;
  record(best, kLowest);

  for (int i = 0; i < n; ++i)
    if (i != best) atans[i] = std::atan2(y[i] - y[best], x[i] - x[best]);
  std::vector<int> order(n);  // line 2: by polar angle around the lowest point, itself in front
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[0], order[best]);
  std::stable_sort(order.begin() + 1, order.end(),
                   [&](int a, int b) { return atans[a] < atans[b]; });
  record(best, kSorted);

  for (int t = 1; t < n; ++t) {  // lines 4-7 for t < 3, then line 8
    const int c = order[t];
    // Lines 9-10. Points all on one line would empty the stack, were its bottom not kept.
    while (t >= 3 && last != best && turn(in, stack_prev[last], last, c) <= 0) {
      const int old = std::exchange(last, stack_prev[last]);
      stack_prev[old] = static_cast<std::uint16_t>(old);
      in_hull[old] = 0;
      record(c, kPop);
    }
    in_hull[c] = 1;  // line 11
    stack_prev[c] = static_cast<std::uint16_t>(last);
    last = c;
    record(c, kPush);
  }
  trace.output({{"in_hull", in_hull}});  // line 12
}

}  // namespace npq::clrs
