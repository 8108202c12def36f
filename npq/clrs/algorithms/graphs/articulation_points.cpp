// Articulation points, the nodes whose removal disconnects the graph: CLRS, 3rd edition, problem
// 22-2.
#include "npq/clrs/algorithms/algorithms.h"
#include "npq/clrs/algorithms/graphs/low_point.h"

namespace npq::clrs {

Spec articulation_points_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),
      input("A", edge, scalar).as_int64(),
      input("adj", edge, mask),
      output("is_cut", node, mask),
      hint("is_cut_h", node, mask),
      hint("pi_h", node, pointer),
      hint("color", node, categorical).of_classes(kColors),
      hint("d", node, scalar),
      hint("f", node, scalar),
      hint("low", node, scalar),
      hint("child_cnt", node, scalar),
      hint("s_prev", node, pointer),
      hint("s", node, mask_one),
      hint("u", node, mask_one),
      hint("v", node, mask_one),
      hint("s_last", node, mask_one),
      hint("time", graph, scalar),
  };
}

void articulation_points(const Graph& in, Trace& trace) {
  const auto& A = in.A;
  const int n = A.nodes();
  trace.input({{"pos", positions(n)}, {"A", A}, {"adj", adjacency(A)}});

  LowPointSearch search(A);
  Mask is_cut(n);
  Scalars child_cnt(n);  // in steps of 0.01, like time
  const auto record = [&] {
    trace.hint({{"is_cut_h", is_cut},
                {"pi_h", search.pi},
                {"color", search.color},
                {"d", search.d},
                {"f", search.f},
                {"low", search.low},
                {"child_cnt", child_cnt},
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
        child_cnt[search.u] += 0.01;
        search.push();
        record();
      } else {
        const int u = search.u;
        const bool is_root = search.pi[u] == u;
        search.finish([&](int child) {
          // The subtree of this child reaches nothing above u.
          if (!is_root && search.low[child] >= search.d[u]) is_cut[u] = 1;
        });
        if (is_root && child_cnt[u] > 0.01) is_cut[u] = 1;  // two subtrees meet in this root only
        record();
      }
    } while (search.proceed());
  }
  trace.output({{"is_cut", is_cut}});
}

}  // namespace npq::clrs
