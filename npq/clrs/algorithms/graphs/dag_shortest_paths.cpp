// Shortest paths from one source in a directed acyclic graph: CLRS, 3rd edition, section 24.2.
#include "npq/clrs/algorithms/algorithms.h"
#include "npq/clrs/algorithms/graphs/topological_order.h"

namespace npq::clrs {

Spec dag_shortest_paths_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),
      input("s", node, mask_one),
      input("A", edge, scalar),
      input("adj", edge, mask),
      output("pi", node, pointer),
      hint("pi_h", node, pointer),
      hint("d", node, scalar),
      hint("mark", node, mask),
      hint("topo_h", node, pointer),
      hint("topo_head_h", node, mask_one),
      hint("color", node, categorical).of_classes(kColors),
      hint("s_prev", node, pointer),
      hint("u", node, mask_one),
      hint("v", node, mask_one),
      hint("s_last", node, mask_one),
      hint("phase", graph, mask).as_int64(),
  };
}

void dag_shortest_paths(const GraphWithSource& in, Trace& trace) {
  const auto& [A, s] = in;
  const int n = A.nodes();
  trace.input({{"pos", positions(n)}, {"s", one_hot(s)}, {"A", A}, {"adj", adjacency(A)}});

  Pointers pi = identity(n);
  Scalars d(n);
  Mask mark(n);
  DepthFirst search(A);
  TopologicalOrder order(n);
  int phase = 0;
  const auto record = [&] {
    trace.hint({{"pi_h", pi},
                {"d", d},
                {"mark", mark},
                {"topo_h", order.topo},
                {"topo_head_h", one_hot(order.topo_head)},
                {"color", search.color},
                {"s_prev", search.s_prev},
                {"u", one_hot(search.u)},
                {"v", one_hot(search.v)},
                {"s_last", one_hot(search.s_last)},
                {"phase", phase}});
  };

  topological_visit(search, order, s, record);  // line 1, for what s reaches; s comes first

  phase = 1;
  mark[s] = 1;                                                             // line 2
  for (int& i = order.topo_head; order.topo[i] != i; i = order.topo[i]) {  // line 3
    mark[i] = 1;
    record();
    for (int j = 0; j < n; ++j) {  // line 4
      if (A(i, j) == 0) continue;
      const double through_i = d[i] + A(i, j);
      if (!mark[j] || through_i < d[j]) {  // line 5, relax
        d[j] = through_i;
        pi[j] = static_cast<std::uint16_t>(i);
        mark[j] = 1;
      }
    }
  }
  record();  // the last node in order has no edges
  trace.output({{"pi", pi}});
}

}  // namespace npq::clrs
