// Breadth-first search: CLRS, 3rd edition, section 22.2. All nodes of one distance are reached in
// one step.
#include "npq/clrs/algorithms/algorithms.h"

namespace npq::clrs {

Spec bfs_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),  input("s", node, mask_one),  input("A", edge, scalar).as_int64(),
      input("adj", edge, mask),    output("pi", node, pointer), hint("reach_h", node, mask),
      hint("pi_h", node, pointer),
  };
}

void bfs(const GraphWithSource& in, Trace& trace) {
  const auto& [A, s] = in;
  const int n = A.nodes();
  trace.input({{"pos", positions(n)}, {"s", one_hot(s)}, {"A", A}, {"adj", adjacency(A)}});

  Mask reach(n), previous;
  Pointers pi = identity(n);
  reach[s] = 1;
  do {
    previous = reach;
    trace.hint({{"reach_h", previous}, {"pi_h", pi}});
    for (int i = 0; i < n; ++i) {
      if (!previous[i]) continue;
      for (int j = 0; j < n; ++j) {
        if (!(A(i, j) > 0)) continue;
        if (pi[j] == j && j != s) pi[j] = static_cast<std::uint16_t>(i);
        reach[j] = 1;
      }
    }
  } while (reach != previous);
  trace.output({{"pi", pi}});
}

}  // namespace npq::clrs
