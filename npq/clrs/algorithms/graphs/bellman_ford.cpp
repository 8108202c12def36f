// Bellman-Ford shortest paths from one source: CLRS, 3rd edition, section 24.1. Each round relaxes
// all edges at once, from the distances of the round before.
#include "npq/base/error.h"
#include "npq/clrs/algorithms/algorithms.h"

namespace npq::clrs {

Spec bellman_ford_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar), input("s", node, mask_one),  input("A", edge, scalar),
      input("adj", edge, mask),   output("pi", node, pointer), hint("pi_h", node, pointer),
      hint("d", node, scalar),    hint("msk", node, mask),
  };
}

void bellman_ford(const GraphWithSource& in, Trace& trace) {
  const auto& [A, s] = in;
  const int n = A.nodes();
  trace.input({{"pos", positions(n)}, {"s", one_hot(s)}, {"A", A}, {"adj", adjacency(A)}});

  Scalars d(n), previous_d;
  Mask msk(n), previous_msk;  // the nodes that have a distance
  Pointers pi = identity(n);
  msk[s] = 1;
  do {
    // A shortest path has fewer than n edges, so round n finds nothing to do (lines 5-8).
    if (trace.length() == n)
      throw Error(
          "bellman_ford still finds shorter paths after {} rounds, so the graph has a cycle of "
          "negative weight; make its weights positive",
          n);
    previous_d = d;
    previous_msk = msk;
    trace.hint({{"pi_h", pi}, {"d", previous_d}, {"msk", previous_msk}});
    for (int u = 0; u < n; ++u) {  // line 3
      if (!previous_msk[u]) continue;
      for (int v = 0; v < n; ++v) {
        if (A(u, v) == 0) continue;
        const double through_u = previous_d[u] + A(u, v);
        if (!msk[v] || through_u < d[v]) {  // line 4, relax
          d[v] = through_u;
          pi[v] = static_cast<std::uint16_t>(u);
        }
        msk[v] = 1;
      }
    }
  } while (d != previous_d);
  trace.output({{"pi", pi}});
}

}  // namespace npq::clrs
