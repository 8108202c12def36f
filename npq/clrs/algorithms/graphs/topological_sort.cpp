// Topological sort by depth-first search: CLRS, 3rd edition, section 22.4.
#include "npq/clrs/algorithms/algorithms.h"
#include "npq/clrs/algorithms/graphs/topological_order.h"

namespace npq::clrs {

Spec topological_sort_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),
      input("A", edge, scalar).as_int64(),
      input("adj", edge, mask),
      output("topo", node, pointer),
      output("topo_head", node, mask_one),
      hint("topo_h", node, pointer),
      hint("topo_head_h", node, mask_one),
      hint("color", node, categorical).of_classes(kColors),
      hint("s_prev", node, pointer),
      hint("s", node, mask_one),
      hint("u", node, mask_one),
      hint("v", node, mask_one),
      hint("s_last", node, mask_one),
  };
}

void topological_sort(const Graph& in, Trace& trace) {
  const auto& A = in.A;
  const int n = A.nodes();
  trace.input({{"pos", positions(n)}, {"A", A}, {"adj", adjacency(A)}});

  DepthFirst search(A);
  TopologicalOrder order(n);
  const auto record = [&] {
    trace.hint({{"topo_h", order.topo},
                {"topo_head_h", one_hot(order.topo_head)},
                {"color", search.color},
                {"s_prev", search.s_prev},
                {"s", one_hot(search.s)},
                {"u", one_hot(search.u)},
                {"v", one_hot(search.v)},
                {"s_last", one_hot(search.s_last)}});
  };

  for (int s = 0; s < n; ++s)
    if (search.color[s] == kWhite) topological_visit(search, order, s, record);
  trace.output({{"topo", order.topo}, {"topo_head", one_hot(order.topo_head)}});
}

}  // namespace npq::clrs
