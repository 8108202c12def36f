// Prim's minimum spanning tree, grown from one source: CLRS, 3rd edition, section 23.2.
#include "npq/clrs/algorithms/algorithms.h"
#include "npq/clrs/algorithms/graphs/extract_min.h"

namespace npq::clrs {

Spec mst_prim_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar), input("s", node, mask_one),  input("A", edge, scalar),
      input("adj", edge, mask),   output("pi", node, pointer), hint("pi_h", node, pointer),
      hint("key", node, scalar),  hint("mark", node, mask),    hint("in_queue", node, mask),
      hint("u", node, mask_one),
  };
}

void mst_prim(const GraphWithSource& in, Trace& trace) {
  const auto& [A, s] = in;
  const int n = A.nodes();
  trace.input({{"pos", positions(n)}, {"s", one_hot(s)}, {"A", A}, {"adj", adjacency(A)}});

  Scalars key(n);
  Mask mark(n), in_queue(n);
  Pointers pi = identity(n);
  in_queue[s] = 1;
  const auto record = [&](int u) {
    trace.hint(
        {{"pi_h", pi}, {"key", key}, {"mark", mark}, {"in_queue", in_queue}, {"u", one_hot(u)}});
  };
  record(s);

  while (const auto u = extract_min(key, in_queue)) {  // lines 6-7
    mark[*u] = 1;
    for (int v = 0; v < n; ++v) {  // line 8
      if (A(*u, v) == 0 || mark[v]) continue;
      if (!in_queue[v] || A(*u, v) < key[v]) {  // line 9
        pi[v] = static_cast<std::uint16_t>(*u);
        key[v] = A(*u, v);
        in_queue[v] = 1;
      }
    }
    record(*u);
  }
  trace.output({{"pi", pi}});
}

}  // namespace npq::clrs
