// Bridges, the edges whose removal disconnects the graph: CLRS, 3rd edition, problem 22-2.
#include "npq/clrs/algorithms/algorithms.h"
#include "npq/clrs/algorithms/graphs/low_point.h"

namespace npq::clrs {

Spec bridges_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),
      input("A", edge, scalar).as_int64(),
      input("adj", edge, mask),
      output("is_bridge", edge, mask),
      hint("is_bridge_h", edge, mask),
      hint("pi_h", node, pointer),
      hint("color", node, categorical).of_classes(kColors),
      hint("d", node, scalar),
      hint("f", node, scalar),
      hint("low", node, scalar),
      hint("s_prev", node, pointer),
      hint("s", node, mask_one),
      hint("u", node, mask_one),
      hint("v", node, mask_one),
      hint("s_last", node, mask_one),
      hint("time", graph, scalar),
  };
}

void bridges(const Graph& in, Trace& trace) {
  const auto& A = in.A;
  const int n = A.nodes();
  const EdgeMask adj = adjacency(A);
  trace.input({{"pos", positions(n)}, {"A", A}, {"adj", adj}});

  LowPointSearch search(A);
  EdgeMask is_bridge = adj;
  for (auto& entry : is_bridge.values()) --entry;  // -1, not to be scored, where there is no edge
  const auto record = [&] {
    trace.hint({{"is_bridge_h", is_bridge},
                {"pi_h", search.pi},
                {"color", search.color},
                {"d", search.d},
                {"f", search.f},
                {"low", search.low},
                {"s_prev", search.s_prev},
                {"s", one_hot(search.s)},
                {"u", one_hot(search.u)},
                {"v", one_hot(search.v)},
                {"s_last", one_hot(search.s_last)},
                {"time", search.time}});
  };

  for (int s = 0; s < n; ++s) {
    if (search.color[s] != kWhite) continue;
    search.start(s);
    record();
    do {
      if (search.undiscovered()) {
        search.discover();
        record();
      }
      if (search.find_white(record)) {
        search.push();
        record();
      } else {
        const int u = search.u;
        search.finish([&](int child) {
          // Nothing in the subtree reaches u or beyond except over this edge.
          if (search.low[child] > search.d[u]) is_bridge(u, child) = is_bridge(child, u) = 1;
        });
        record();
      }
    } while (search.proceed());
  }
  trace.output({{"is_bridge", is_bridge}});
}

}  // namespace npq::clrs
