// Kruskal's minimum spanning tree: CLRS, 3rd edition, section 23.2, with the disjoint sets of
// section 21.3.
#include <algorithm>
#include <vector>

#include "npq/clrs/algorithms/algorithms.h"

namespace npq::clrs {

Spec mst_kruskal_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),
      input("A", edge, scalar),
      input("adj", edge, mask),
      output("in_mst", edge, mask),
      hint("in_mst_h", edge, mask),
      hint("pi", node, pointer),
      hint("u", node, mask_one),
      hint("v", node, mask_one),
      hint("root_u", node, mask_one),
      hint("root_v", node, mask_one),
      hint("mask_u", node, mask),
      hint("mask_v", node, mask),
      hint("phase", graph, categorical).of_classes(3),
  };
}

namespace {

struct Edge {
  int u, v;
  double weight;
};

std::vector<Edge> edges_by_weight(const EdgeScalars& A) {
  std::vector<Edge> edges;
  for (int i = 0; i < A.nodes(); ++i)
    for (int j = i + 1; j < A.nodes(); ++j)
      if (A(i, j) > 0) edges.push_back({i, j, A(i, j)});
  std::stable_sort(edges.begin(), edges.end(),
                   [](const Edge& a, const Edge& b) { return a.weight < b.weight; });
  return edges;
}

/// The walk of FIND-SET from one end of an edge to the root of its set, and the nodes it has
/// passed.
struct Walk {
  explicit Walk(int nodes) : passed(nodes) {}

  void start(int node) {
    std::fill(passed.begin(), passed.end(), std::int8_t{0});
    passed[node] = 1;
    root = node;
  }

  /// One step up, after which all nodes passed point to where it led (path compression); false at
  /// the root.
  bool climb(Pointers& pi) {
    if (pi[root] == root) return false;
    root = pi[root];
    for (int i = 0; i < static_cast<int>(pi.size()); ++i)
      if (passed[i]) pi[i] = static_cast<std::uint16_t>(root);
    passed[root] = 1;
    return true;
  }

  Mask passed;
  int root = 0;
};

enum Phase { kUnion, kFindU, kFindV };

}  // namespace

void mst_kruskal(const Graph& in, Trace& trace) {
  const auto& A = in.A;
  const int n = A.nodes();
  trace.input({{"pos", positions(n)}, {"A", A}, {"adj", adjacency(A)}});

  EdgeMask in_mst(n);
  Pointers pi = identity(n);  // parents in the forest of disjoint sets
  Walk from_u(n), from_v(n);
  const auto record = [&](int u, int v, Phase phase) {
    trace.hint({{"in_mst_h", in_mst},
                {"pi", pi},
                {"u", one_hot(u)},
                {"v", one_hot(v)},
                {"root_u", one_hot(from_u.root)},
                {"root_v", one_hot(from_v.root)},
                {"mask_u", from_u.passed},
                {"mask_v", from_v.passed},
                {"phase", Class{phase}}});
  };
  record(0, 0, kUnion);

  for (const auto& [u, v, weight] : edges_by_weight(A)) {  // lines 4-5
    from_u.start(u);
    from_v.start(v);
    record(u, v, kFindU);
    while (from_u.climb(pi)) record(u, v, kFindU);  // line 6
    while (from_v.climb(pi)) record(u, v, kFindV);
    const auto [low, high] = std::minmax(from_u.root, from_v.root);
    if (low != high) {
      pi[low] = static_cast<std::uint16_t>(high);  // line 8
      in_mst(u, v) = in_mst(v, u) = 1;             // line 7
    }
    record(u, v, kUnion);
  }
  trace.output({{"in_mst", in_mst}});
}

}  // namespace npq::clrs
