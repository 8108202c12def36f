// Bubble sort: CLRS, 3rd edition, problem 2-2.
#include "npq/clrs/algorithms/algorithms.h"
#include "npq/clrs/algorithms/sorting/sortable.h"

namespace npq::clrs {

Spec bubble_sort_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),
      input("key", node, scalar),
      output("pred", node, should_be_permutation),
      hint("pred_h", node, pointer),
      hint("i", node, mask_one),
      hint("j", node, mask_one),
  };
}

void bubble_sort(const Keys& in, Trace& trace) {
  Sortable array(in.key);
  const int n = array.size();
  trace.input({{"pos", positions(n)}, {"key", in.key}});

  const auto record = [&](OneHot i, OneHot j) {
    trace.hint({{"pred_h", array.pred}, {"i", i}, {"j", j}});
  };
  record(one_hot(0), one_hot(0));

  for (int i = 0; i < n - 1; ++i) {                           // line 1
    for (int j = n - 1; j > i; --j) {                         // line 2
      if (array.A[j] < array.A[j - 1]) array.swap(j, j - 1);  // lines 3-4
      record(array.at(i), array.at(j));
    }
  }
  trace.output({{"pred", array.pred}});
}

}  // namespace npq::clrs
