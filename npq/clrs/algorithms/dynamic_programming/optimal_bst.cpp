// The binary search tree with the least expected cost: CLRS, 3rd edition, section 15.5.
#include "npq/clrs/algorithms/algorithms.h"

namespace npq::clrs {

Spec optimal_bst_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),
      input("p", node, scalar),
      input("q", node, scalar),
      output("root", edge, pointer).as_float64(),
      hint("pred_h", node, pointer).constant_in_time(),
      hint("root_h", edge, pointer).as_float64(),
      hint("e", edge, scalar),
      hint("w", edge, scalar),
      hint("msk", edge, mask),
  };
}

void optimal_bst(const SearchTree& in, Trace& trace) {
  const auto& q = in.q;
  const int n = static_cast<int>(q.size());  // one more than keys: node i stands before key i
  Scalars p = in.p;
  p.push_back(0);
  trace.input({{"pos", positions(n)}, {"p", p}, {"q", q}});

  const Pointers pred = constant_chain(n);
  EdgeScalars e(n), w(n);
  EdgePointers root(n);
  EdgeMask msk(n);
  const auto record = [&] {
    trace.hint({{"pred_h", pred}, {"root_h", root}, {"e", e}, {"w", w}, {"msk", msk}});
  };
  for (int i = 0; i < n; ++i) {  // lines 2-4
    e(i, i) = w(i, i) = q[i];
    msk(i, i) = 1;
  }
  record();

  for (int l = 1; l < n; ++l) {                            // line 5
    for (int i = 0; i + l < n; ++i) {                      // line 6: keys i..j-1
      const int j = i + l;                                 // line 7
      e(i, j) = 1e9;                                       // line 8
      w(i, j) = w(i, j - 1) + p[j - 1] + q[j];             // line 9
      for (int r = i; r < j; ++r) {                        // line 10
        const double t = e(i, r) + e(r + 1, j) + w(i, j);  // line 11
        if (t < e(i, j)) {                                 // line 12
          e(i, j) = t;                                     // line 13
          root(i, j) = r;                                  // line 14
        }
      }
      msk(i, j) = 1;
    }
    record();
  }
  trace.output({{"root", root}});
}

}  // namespace npq::clrs
