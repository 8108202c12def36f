// Insertion sort: CLRS, 3rd edition, section 2.1.
#include "npq/clrs/algorithms/algorithms.h"
#include "npq/clrs/algorithms/sorting/sortable.h"

namespace npq::clrs {

Spec insertion_sort_spec() {
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

void insertion_sort(const Keys& in, Trace& trace) {
  Sortable array(in.key);
  const int n = array.size();
  trace.input({{"pos", positions(n)}, {"key", in.key}});

  auto& [A, ord, pred] = array;
  const auto record = [&](int i, int j) {
    trace.hint({{"pred_h", array.pred}, {"i", one_hot(i)}, {"j", one_hot(j)}});
  };
  record(0, 0);

  for (int j = 1; j < n; ++j) {     // line 1
    const double key = A[j];        // line 2
    int i = j - 1;                  // line 4
    while (i >= 0 && A[i] > key) {  // line 5
      A[i + 1] = A[i];              // line 6
      ord[i + 1] = ord[i];
      --i;  // line 7
    }
    // The benchmark shows the node that held the place until now: the last one moved, or j itself.
    const int displaced = ord[i + 1];
    A[i + 1] = key;  // line 8
    ord[i + 1] = j;
    for (int slot = i + 1; slot <= j; ++slot) array.link(slot);
    if (j + 1 < n) array.link(j + 1);
    record(displaced, j);
  }
  trace.output({{"pred", pred}});
}

}  // namespace npq::clrs
