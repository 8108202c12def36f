// Floyd-Warshall shortest paths between all pairs: CLRS, 3rd edition, section 25.2.
#include "npq/clrs/algorithms/algorithms.h"

namespace npq::clrs {

Spec floyd_warshall_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),
      input("A", edge, scalar),
      input("adj", edge, mask),
      output("Pi", edge, pointer).as_float64(),
      hint("Pi_h", edge, pointer).as_float64(),
      hint("D", edge, scalar),
      hint("msk", edge, mask),
      hint("k", node, mask_one),
  };
}

void floyd_warshall(const Graph& in, Trace& trace) {
  const auto& A = in.A;
  const int n = A.nodes();
  const EdgeMask adj = adjacency(A);
  trace.input({{"pos", positions(n)}, {"A", A}, {"adj", adj}});

  EdgeScalars D = A, previous_D;
  EdgeMask msk = adj, previous_msk;  // the pairs that have a path
  EdgePointers Pi(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) Pi(i, j) = static_cast<std::uint16_t>(i);

  for (int k = 0; k < n; ++k) {
    previous_D = D;
    previous_msk = msk;
    trace.hint({{"Pi_h", Pi}, {"D", previous_D}, {"msk", previous_msk}, {"k", one_hot(k)}});
    for (int i = 0; i < n; ++i) {
      if (!previous_msk(i, k)) continue;
      const double to_k = previous_D(i, k);
      for (int j = 0; j < n; ++j) {
        if (!previous_msk(k, j)) continue;
        const double through_k = to_k + previous_D(k, j);
        if (!msk(i, j) || through_k < D(i, j)) {
          D(i, j) = through_k;
          Pi(i, j) = Pi(k, j);
        }
        msk(i, j) = 1;
      }
    }
  }
  trace.output({{"Pi", Pi}});
}

}  // namespace npq::clrs
