// What depth-first search promises, on hundreds of random graphs.
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "npq/clrs/algorithms/algorithms.h"
#include "tests/clrs/algorithms/random_graphs.h"
#include "tests/support/run_algorithm.h"

namespace npq::clrs {
namespace {

using namespace npq::test;

int roots(const Sample& sample) {
  const auto s = marked_over_time(sample, "s");
  return static_cast<int>(std::set<int>(s.begin(), s.end()).size());
}

TEST(DfsLaw, ParentsFormAForestWhoseIntervalsNest) {
  for_many_inputs([](int n, Random& random) {
    const auto A = random_graph(n, Kind::Directed, false, random);
    const auto sample = run(dfs_spec, dfs, {A});
    ASSERT_EQ(sample.length(), 3 * n);
    const auto pi = pointers(sample, "pi");
    const auto d = scalars(sample, "d", 3 * n - 1), f = scalars(sample, "f", 3 * n - 1);
    const auto is_ancestor = [&](int u, int v) {
      while (v != u && pi[v] != v) v = pi[v];
      return v == u;
    };
    for (int v = 0; v < n; ++v)
      if (pi[v] != v) {
        ASSERT_NE(A(pi[v], v), 0);
        ASSERT_LT(d[pi[v]], d[v]) << "so following parents must end";
      }
    for (int u = 0; u < n; ++u)
      for (int v = 0; v < n; ++v) {
        // The parenthesis theorem, and: no edge leads from a finished node to one not yet
        // discovered.
        EXPECT_EQ(d[u] <= d[v] && f[v] <= f[u], is_ancestor(u, v));
        EXPECT_TRUE(f[u] < d[v] || f[v] < d[u] || is_ancestor(u, v) || is_ancestor(v, u));
        EXPECT_TRUE(A(u, v) == 0 || d[v] < f[u]);
      }
  });
}

TEST(TopologicalSortLaw, EveryEdgeLeadsForward) {
  for_many_inputs([](int n, Random& random) {
    const auto A = random_graph(n, Kind::Acyclic, false, random);
    const auto sample = run(topological_sort_spec, topological_sort, {A});
    EXPECT_EQ(sample.length(), 2 * n + roots(sample));
    const auto topo = pointers(sample, "topo");
    std::vector<int> place(n, -1);
    int node = marked(sample, "topo_head");
    for (int k = 0; k < n; ++k, node = topo[node]) {
      ASSERT_EQ(place[node], -1) << "the list meets node " << node << " twice";
      place[node] = k;
    }
    EXPECT_EQ(place[node], n - 1) << "the last node points to itself";
    for (int u = 0; u < n; ++u)
      for (int v = 0; v < n; ++v)
        EXPECT_TRUE(A(u, v) == 0 || place[u] < place[v]) << u << " -> " << v;
  });
}

TEST(ArticulationPointsLaw, AreTheNodesWhoseRemovalLeavesMoreComponents) {
  for_many_inputs([](int n, Random& random) {
    const auto A = random_graph(n, Kind::Undirected, false, random);
    const auto is_cut = mask(run(articulation_points_spec, articulation_points, {A}), "is_cut");
    for (int v = 0; v < n; ++v)
      EXPECT_EQ(is_cut[v], components(A, v) > components(A)) << "node " << v;
  });
}

TEST(BridgesLaw, AreTheEdgesWhoseRemovalLeavesMoreComponents) {
  for_many_inputs([](int n, Random& random) {
    const auto A = random_graph(n, Kind::Undirected, false, random);
    const auto sample = run(bridges_spec, bridges, {A});
    EXPECT_EQ(sample.length(), run(articulation_points_spec, articulation_points, {A}).length());
    const auto is_bridge = mask(sample, "is_bridge");
    for (int u = 0; u < n; ++u)
      for (int v = 0; v < n; ++v) {
        auto rest = A;
        rest(u, v) = rest(v, u) = 0;
        const bool exists = A(u, v) != 0 || u == v;
        EXPECT_EQ(is_bridge[u * n + v], exists ? components(rest) > components(A) : -1)
            << u << "-" << v;
      }
  });
}

TEST(StronglyConnectedComponentsLaw, HaveTheSameNameExactlyWhenTheyReachEachOther) {
  for_many_inputs([](int n, Random& random) {
    const auto A = random_graph(n, Kind::Directed, false, random);
    const auto sample = run(strongly_connected_components_spec, strongly_connected_components, {A});
    const auto scc_id = pointers(sample, "scc_id");
    std::vector<std::vector<double>> far;
    for (int u = 0; u < n; ++u) far.push_back(hops(A, u));
    for (int u = 0; u < n; ++u) {
      EXPECT_EQ(scc_id[scc_id[u]], scc_id[u]) << "a component is named by one of its nodes";
      for (int v = 0; v < n; ++v)
        EXPECT_EQ(scc_id[u] == scc_id[v], far[u][v] < kFar && far[v][u] < kFar) << u << ", " << v;
    }
    const std::set<int> names(scc_id.begin(), scc_id.end());
    EXPECT_EQ(sample.length(), 5 * n + static_cast<int>(names.size()));
  });
}

}  // namespace
}  // namespace npq::clrs
