// Unit-time tasks with deadlines and penalties, the costliest first: after CLRS, 3rd edition,
// section 16.5.
#include <algorithm>
#include <functional>
#include <numeric>

#include "npq/clrs/algorithms/algorithms.h"

namespace npq::clrs {

Spec task_scheduling_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),
      input("d", node, scalar).as_int64(),
      input("w", node, scalar),
      output("selected", node, mask),
      hint("pred_h", node, pointer).constant_in_time(),
      hint("selected_h", node, mask),
      hint("i", node, mask_one),
      hint("t", graph, scalar).as_int64(),
  };
}

namespace {

std::vector<int> by_falling_weight(const Scalars& w) {
  std::vector<int> order(w.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](int task) { return w[task]; });
  return order;
}

}  // namespace

void task_scheduling(const Tasks& in, Trace& trace) {
  const auto& [d, w] = in;
  const int n = static_cast<int>(w.size());
  trace.input({{"pos", positions(n)}, {"d", Scalars(d.begin(), d.end())}, {"w", w}});

  const Pointers pred = constant_chain(n);
  Mask selected(n);
  int t = 0;  // tasks selected so far
  const auto record = [&](int i) {
    trace.hint({{"pred_h", pred},
                {"selected_h", selected},
                {"i", one_hot(i)},
                {"t", static_cast<double>(t)}});
  };
  record(0);

  // A task is taken if its deadline is after all tasks taken already. That is the benchmark's
  // test, stricter than the book's independence of task sets: a task with an early deadline is lost
  // even if others could wait for it.
  for (const int i : by_falling_weight(w)) {
    if (t == 0 || t < d[i]) {  // the costliest task is always taken
      selected[i] = 1;
      ++t;
    }
    record(i);
  }
  trace.output({{"selected", selected}});
}

}  // namespace npq::clrs
