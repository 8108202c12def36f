// The smallest element: CLRS, 3rd edition, section 9.1.
#include "npq/clrs/algorithms/algorithms.h"

namespace npq::clrs {

Spec minimum_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),    input("key", node, scalar),
      output("min", node, mask_one), hint("pred_h", node, pointer).constant_in_time(),
      hint("min_h", node, mask_one), hint("i", node, mask_one),
  };
}

void minimum(const Keys& in, Trace& trace) {
  const auto& A = in.key;
  const int n = static_cast<int>(A.size());
  trace.input({{"pos", positions(n)}, {"key", A}});

  const Pointers pred = constant_chain(n);
  int min = 0;  // line 1
  const auto record = [&](int i) {
    trace.hint({{"pred_h", pred}, {"min_h", one_hot(min)}, {"i", one_hot(i)}});
  };
  record(0);

  for (int i = 1; i < n; ++i) {  // line 2
    if (A[min] > A[i]) min = i;  // lines 3-4
    record(i);
  }
  trace.output({{"min", one_hot(min)}});
}

}  // namespace npq::clrs
