// Dijkstra's shortest paths from one source: CLRS, 3rd edition, section 24.3.
#include "npq/clrs/algorithms/algorithms.h"
#include "npq/clrs/algorithms/graphs/extract_min.h"

namespace npq::clrs {

Spec dijkstra_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar), input("s", node, mask_one),  input("A", edge, scalar),
      input("adj", edge, mask),   output("pi", node, pointer), hint("pi_h", node, pointer),
      hint("d", node, scalar),    hint("mark", node, mask),    hint("in_queue", node, mask),
      hint("u", node, mask_one),
  };
}

void dijkstra(const GraphWithSource& in, Trace& trace) {
  const auto& [A, s] = in;
  const int n = A.nodes();
  trace.input({{"pos", positions(n)}, {"s", one_hot(s)}, {"A", A}, {"adj", adjacency(A)}});

  Scalars d(n);
  Mask mark(n), in_queue(n);
  Pointers pi = identity(n);
  in_queue[s] = 1;
  const auto record = [&](int u) {
    trace.hint({{"pi_h", pi}, {"d", d}, {"mark", mark}, {"in_queue", in_queue}, {"u", one_hot(u)}});
  };
  record(s);

  while (const auto u = extract_min(d, in_queue)) {  // lines 4-5
    mark[*u] = 1;                                    // line 6
    for (int v = 0; v < n; ++v) {                    // line 7
      if (A(*u, v) == 0 || mark[v]) continue;
      const double through_u = d[*u] + A(*u, v);
      if (!in_queue[v] || through_u < d[v]) {  // line 8, relax
        d[v] = through_u;
        pi[v] = *u;
        in_queue[v] = 1;
      }
    }
    record(*u);
  }
  trace.output({{"pi", pi}});
}

}  // namespace npq::clrs
