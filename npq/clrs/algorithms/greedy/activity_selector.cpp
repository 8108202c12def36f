// As many compatible activities as possible: CLRS, 3rd edition, section 16.1,
// GREEDY-ACTIVITY-SELECTOR.
#include <algorithm>
#include <numeric>

#include "npq/clrs/algorithms/algorithms.h"

namespace npq::clrs {

Spec activity_selector_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),
      input("s", node, scalar),
      input("f", node, scalar),
      output("selected", node, mask),
      hint("pred_h", node, pointer).constant_in_time(),
      hint("selected_h", node, mask),
      hint("m", node, mask_one),
      hint("k", node, mask_one),
  };
}

namespace {

std::vector<int> by_finish(const Scalars& f) {
  std::vector<int> order(f.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int activity) { return f[activity]; });
  return order;
}

}  // namespace

void activity_selector(const Activities& in, Trace& trace) {
  const auto& [s, f] = in;
  const int n = static_cast<int>(s.size());
  trace.input({{"pos", positions(n)}, {"s", s}, {"f", f}});

  const Pointers pred = constant_chain(n);
  Mask selected(n);
  int k = 0;  // the activity selected last
  const auto record = [&](int m) {
    trace.hint({{"pred_h", pred}, {"selected_h", selected}, {"m", one_hot(m)}, {"k", one_hot(k)}});
  };
  record(0);

  bool any = false;
  for (const int m : by_finish(f)) {  // lines 1-4: the book's array comes sorted by finish time
    if (!any || s[m] >= f[k]) {       // line 5; the first one is always selected, line 2
      selected[m] = 1;                // line 6
      k = m;                          // line 7
      any = true;
    }
    record(m);
  }
  trace.output({{"selected", selected}});  // line 8
}

}  // namespace npq::clrs
