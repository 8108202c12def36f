// Quicksort: CLRS, 3rd edition, section 7.1.
#include "npq/clrs/algorithms/algorithms.h"
#include "npq/clrs/algorithms/sorting/partition.h"

namespace npq::clrs {

Spec quicksort_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),
      input("key", node, scalar),
      output("pred", node, should_be_permutation),
      hint("pred_h", node, pointer),
      hint("p", node, mask_one),
      hint("r", node, mask_one),
      hint("i", node, mask_one),
      hint("j", node, mask_one),
  };
}

namespace {

void sort(Sortable& array, int p, int r, Trace& trace) {
  if (p >= r) return;                                       // line 1
  const int q = partition(array, p, r, [&](int i, int j) {  // line 2
    trace.hint({{"pred_h", array.pred},
                {"p", array.at(p)},
                {"r", array.at(r)},
                {"i", array.at(i + 1)},
                {"j", array.at(j)}});
  });
  sort(array, p, q - 1, trace);  // line 3
  sort(array, q + 1, r, trace);  // line 4
}

}  // namespace

void quicksort(const Keys& in, Trace& trace) {
  Sortable array(in.key);
  const int n = array.size();
  trace.input({{"pos", positions(n)}, {"key", in.key}});
  sort(array, 0, n - 1, trace);
  trace.output({{"pred", array.pred}});
}

}  // namespace npq::clrs
