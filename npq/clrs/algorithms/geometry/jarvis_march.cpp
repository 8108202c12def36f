// Jarvis's march, gift wrapping, for the convex hull: CLRS, 3rd edition, section 33.3.
#include "npq/clrs/algorithms/algorithms.h"
#include "npq/clrs/algorithms/geometry/turn.h"

namespace npq::clrs {

Spec jarvis_march_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),
      input("x", node, scalar),
      input("y", node, scalar),
      output("in_hull", node, mask),
      hint("pred_h", node, pointer).constant_in_time(),
      hint("in_hull_h", node, mask),
      hint("best", node, mask_one),
      hint("last_point", node, mask_one),
      hint("endpoint", node, mask_one),
      hint("i", node, mask_one),
      hint("phase", graph, categorical).of_classes(2),
  };
}

void jarvis_march(const Points& in, Trace& trace) {
  const int n = static_cast<int>(in.x.size());
  trace.input({{"pos", positions(n)}, {"x", in.x}, {"y", in.y}});

  const Pointers pred = constant_chain(n);
  Mask in_hull(n);
  int best = 0, last = 0, endpoint = 0;
  const auto record = [&](int i, int phase) {
    trace.hint({{"pred_h", pred},
                {"in_hull_h", in_hull},
                {"best", one_hot(best)},
                {"last_point", one_hot(last)},
                {"endpoint", one_hot(endpoint)},
                {"i", one_hot(i)},
                {"phase", Class{phase}}});
  };
  record(0, 0);

  best = endpoint = lowest_point(in);
  while (!in_hull[endpoint]) {  // until the march is back where it began
    in_hull[endpoint] = 1;
    last = endpoint;
    endpoint = 0;
    record(0, 1);
    for (int i = 0; i < n; ++i) {  // the next corner has every other point on its left
      if (endpoint == last || (i != last && i != endpoint && turn(in, last, endpoint, i) <= 0))
        endpoint = i;
      record(i, 1);
    }
  }
  trace.output({{"in_hull", in_hull}});
}

}  // namespace npq::clrs
