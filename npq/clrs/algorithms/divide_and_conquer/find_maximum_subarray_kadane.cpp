// The contiguous subarray with the largest sum, in one pass: CLRS, 3rd edition, exercise 4.1-5
// (Kadane's algorithm).
#include "npq/clrs/algorithms/algorithms.h"

namespace npq::clrs {

Spec find_maximum_subarray_kadane_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),
      input("key", node, scalar),
      output("start", node, mask_one),
      output("end", node, mask_one),
      hint("pred_h", node, pointer).constant_in_time(),
      hint("best_low", node, mask_one),
      hint("best_high", node, mask_one),
      hint("best_sum", graph, scalar),
      hint("i", node, mask_one),
      hint("j", node, mask_one),
      hint("sum", graph, scalar),
  };
}

void find_maximum_subarray_kadane(const Keys& in, Trace& trace) {
  const auto& A = in.key;
  const int n = static_cast<int>(A.size());
  trace.input({{"pos", positions(n)}, {"key", A}});

  const Pointers pred = constant_chain(n);
  int best_low = 0, best_high = 0, i = 0;
  double best_sum = A[0], sum = A[0];  // sum is that of A[i..j], the best that ends in j
  const auto record = [&](int j) {
    trace.hint({{"pred_h", pred},
                {"best_low", one_hot(best_low)},
                {"best_high", one_hot(best_high)},
                {"best_sum", best_sum},
                {"i", one_hot(i)},
                {"j", one_hot(j)},
                {"sum", sum}});
  };
  record(0);

  for (int j = 1; j < n; ++j) {
    const double x = A[j];
    if (sum + x >= x) {  // not sum >= 0: a sum too small to change x counts as none
      sum += x;
    } else {
      i = j;
      sum = x;
    }
    if (sum > best_sum) {
      best_low = i;
      best_high = j;
      best_sum = sum;
    }
    record(j);
  }
  trace.output({{"start", one_hot(best_low)}, {"end", one_hot(best_high)}});
}

}  // namespace npq::clrs
