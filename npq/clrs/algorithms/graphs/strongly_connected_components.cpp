// Strongly connected components by two depth-first searches: CLRS, 3rd edition, section 22.5.
#include <algorithm>
#include <numeric>
#include <vector>

#include "npq/clrs/algorithms/algorithms.h"
#include "npq/clrs/algorithms/graphs/depth_first.h"

namespace npq::clrs {

Spec strongly_connected_components_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),
      input("A", edge, scalar),
      input("adj", edge, mask),
      output("scc_id", node, pointer),
      hint("scc_id_h", node, pointer),
      hint("A_t", edge, mask).constant_in_time(),
      hint("color", node, categorical).of_classes(kColors),
      hint("d", node, scalar),
      hint("f", node, scalar),
      hint("s_prev", node, pointer),
      hint("s", node, mask_one),
      hint("u", node, mask_one),
      hint("v", node, mask_one),
      hint("s_last", node, mask_one),
      hint("time", graph, scalar),
      hint("phase", graph, mask).as_int64(),
  };
}

namespace {

EdgeScalars transpose(const EdgeScalars& A) {
  EdgeScalars transposed(A.nodes());
  for (int i = 0; i < A.nodes(); ++i)
    for (int j = 0; j < A.nodes(); ++j) transposed(j, i) = A(i, j);
  return transposed;
}

std::vector<int> by_decreasing(const Scalars& f) {
  std::vector<int> order(f.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return f[a] > f[b]; });
  return order;
}

}  // namespace

void strongly_connected_components(const Graph& in, Trace& trace) {
  const auto& A = in.A;
  const int n = A.nodes();
  trace.input({{"pos", positions(n)}, {"A", A}, {"adj", adjacency(A)}});

  const EdgeScalars transposed = transpose(A);
  const EdgeMask A_t = adjacency(transposed);
  Pointers scc_id = identity(n);
  TimedDepthFirst search(A);
  int phase = 0;
  const auto record = [&] {
    trace.hint({{"scc_id_h", scc_id},
                {"A_t", A_t},
                {"color", search.color},
                {"d", search.d},
                {"f", search.f},
                {"s_prev", search.s_prev},
                {"s", one_hot(search.s)},
                {"u", one_hot(search.u)},
                {"v", one_hot(search.v)},
                {"s_last", one_hot(search.s_last)},
                {"time", search.time},
                {"phase", phase}});
  };
  const auto visit = [&](int s) {
    if (search.color[s] != kWhite) return;
    search.start(s);
    record();
    do {
      if (phase == 1)
        scc_id[search.u] = static_cast<std::uint16_t>(s);  // line 4: its root names a component
      if (search.undiscovered()) {
        search.discover();
        record();
      }
      if (search.find_white())
        search.push();
      else
        search.finish();
      record();
    } while (search.proceed());
  };

  for (int s = 0; s < n; ++s) visit(s);  // line 1

  phase = 1;
  const std::vector<int> order = by_decreasing(search.f);
  search.neighbours = Neighbours(transposed);  // line 2
  search.color.assign(n, kWhite);      // all nodes are off the stack again; d, f and time go on
  for (const int s : order) visit(s);  // line 3
  trace.output({{"scc_id", scc_id}});
}

}  // namespace npq::clrs
