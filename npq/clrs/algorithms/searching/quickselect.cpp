// The median by repeated partition: CLRS, 3rd edition, section 9.2, with the last element as pivot
// instead of a random one.
#include "npq/clrs/algorithms/algorithms.h"
#include "npq/clrs/algorithms/sorting/partition.h"

namespace npq::clrs {

Spec quickselect_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),    input("key", node, scalar), output("median", node, mask_one),
      hint("pred_h", node, pointer), hint("p", node, mask_one),  hint("r", node, mask_one),
      hint("i", node, mask_one),     hint("j", node, mask_one),  hint("i_rank", graph, scalar),
      hint("target", graph, scalar),
  };
}

Spec quickselect_head_spec() {
  using namespace spec_words;
  Spec spec = quickselect_spec();
  spec.push_back(hint("pivot", node, mask_one));
  return spec;
}

namespace {

/// PARTITION on behalf of a search for the element of rank `wanted` in A[p..r].
int partition_and_show(Sortable& array, int p, int r, int wanted, Trace& trace) {
  const double n = array.size();
  const bool with_pivot = trace.shows("pivot");
  return partition(array, p, r, [&](int i, int j) {
    const bool in_place = j == r;  // the pivot has been swapped to slot i + 1
    // The benchmark counts only the last rank from p, all others from slot 0; kept as it is.
    const double i_rank = (in_place ? i + 1 - p : i + 1) / n;
    const double target = wanted / n;
    const auto pivot = array.at(in_place ? i + 1 : r);
    if (with_pivot)
      trace.hint({{"pred_h", array.pred},
                  {"p", array.at(p)},
                  {"r", array.at(r)},
                  {"i", array.at(i + 1)},
                  {"j", array.at(j)},
                  {"i_rank", i_rank},
                  {"target", target},
                  {"pivot", pivot}});
    else
      trace.hint({{"pred_h", array.pred},
                  {"p", array.at(p)},
                  {"r", array.at(r)},
                  {"i", array.at(i + 1)},
                  {"j", array.at(j)},
                  {"i_rank", i_rank},
                  {"target", target}});
  });
}

/// The slot of the element of rank i, counted from 0, in A[p..r]: RANDOMIZED-SELECT with its tail
/// calls as a loop.
int select(Sortable& array, int p, int r, int i, Trace& trace) {
  for (;;) {
    const int q = partition_and_show(array, p, r, i, trace);  // line 3
    const int k = q - p;                                      // line 4
    if (i == k) return q;                                     // lines 5-6
    if (i < k) {
      r = q - 1;  // lines 7-8
    } else {
      p = q + 1;  // line 9
      i -= k + 1;
    }
  }
}

}  // namespace

void quickselect(const Keys& in, Trace& trace) {
  Sortable array(in.key);
  const int n = array.size();
  trace.input({{"pos", positions(n)}, {"key", in.key}});
  const int slot = select(array, 0, n - 1, n / 2, trace);
  trace.output({{"median", array.at(slot)}});
}

}  // namespace npq::clrs
