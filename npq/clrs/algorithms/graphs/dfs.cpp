// Depth-first search: CLRS, 3rd edition, section 22.3.
#include "npq/clrs/algorithms/algorithms.h"
#include "npq/clrs/algorithms/graphs/depth_first.h"

namespace npq::clrs {

Spec dfs_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),     input("A", edge, scalar).as_int64(),
      input("adj", edge, mask),       output("pi", node, pointer),
      hint("pi_h", node, pointer),    hint("color", node, categorical).of_classes(kColors),
      hint("d", node, scalar),        hint("f", node, scalar),
      hint("s_prev", node, pointer),  hint("s", node, mask_one),
      hint("u", node, mask_one),      hint("v", node, mask_one),
      hint("s_last", node, mask_one), hint("time", graph, scalar),
  };
}

void dfs(const Graph& in, Trace& trace) {
  const auto& A = in.A;
  const int n = A.nodes();
  trace.input({{"pos", positions(n)}, {"A", A}, {"adj", adjacency(A)}});

  TimedDepthFirst search(A);
  Pointers pi = identity(n);
  const auto record = [&] {
    trace.hint({{"pi_h", pi},
                {"color", search.color},
                {"d", search.d},
                {"f", search.f},
                {"s_prev", search.s_prev},
                {"s", one_hot(search.s)},
                {"u", one_hot(search.u)},
                {"v", one_hot(search.v)},
                {"s_last", one_hot(search.s_last)},
                {"time", search.time}});
  };

  for (int s = 0; s < n; ++s) {               // DFS, line 5
    if (search.color[s] != kWhite) continue;  // line 6
    search.start(s);
    record();
    do {
      if (search.undiscovered()) {  // DFS-VISIT, lines 1-3
        search.discover();
        record();
      }
      if (search.find_white()) {  // lines 4-7
        pi[search.v] = static_cast<std::uint16_t>(search.u);
        search.push();
        record();
      } else {  // lines 8-10
        search.finish();
        record();
      }
    } while (search.proceed());
  }
  trace.output({{"pi", pi}});
}

}  // namespace npq::clrs
