// Binary search for the first key that is not smaller than the target: CLRS, 3rd edition,
// exercise 2.3-5.
#include "npq/clrs/algorithms/algorithms.h"

namespace npq::clrs {

Spec binary_search_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),
      input("key", node, scalar),
      input("target", graph, scalar),
      output("return", node, mask_one),
      hint("pred_h", node, pointer).constant_in_time(),
      hint("low", node, mask_one),
      hint("high", node, mask_one),
      hint("mid", node, mask_one),
  };
}

void binary_search(const SortedKeysAndTarget& in, Trace& trace) {
  const auto& [A, target] = in;
  const int n = static_cast<int>(A.size());
  trace.input({{"pos", positions(n)}, {"key", A}, {"target", target}});

  const Pointers pred = constant_chain(n);
  int low = 0, high = n - 1;
  const auto mid = [&] { return (low + high) / 2; };
  const auto record = [&] {
    trace.hint({{"pred_h", pred},
                {"low", one_hot(low)},
                {"high", one_hot(high)},
                {"mid", one_hot(mid())}});
  };
  record();

  while (low < high) {
    if (target <= A[mid()])
      high = mid();
    else
      low = mid() + 1;
    record();
  }
  trace.output({{"return", one_hot(high)}});
}

}  // namespace npq::clrs
