// What spanning trees and shortest paths promise, on hundreds of random graphs. Weights are
// multiples of 1/64, so sums are exact and equal means equal.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "npq/clrs/algorithms/algorithms.h"
#include "tests/clrs/algorithms/random_graphs.h"
#include "tests/support/run_algorithm.h"

namespace npq::clrs {
namespace {

using namespace npq::test;

/// The reached nodes have the given distances and parents over which these come about; all others
/// point to themselves.
void expect_shortest_paths(const EdgeScalars& A, int s, const std::vector<double>& d,
                           const std::vector<int>& reached, const std::vector<int>& pi) {
  const auto wanted = distances(A, s);
  for (int v = 0; v < A.nodes(); ++v) {
    EXPECT_EQ(reached[v], wanted[v] < kFar) << "node " << v;
    if (!reached[v] || v == s) {
      EXPECT_EQ(pi[v], v);
      continue;
    }
    EXPECT_EQ(d[v], wanted[v]) << "node " << v;
    EXPECT_NE(A(pi[v], v), 0);
    EXPECT_EQ(wanted[pi[v]] + A(pi[v], v), wanted[v]) << "node " << v;
  }
}

TEST(BfsLaw, ReachesExactlyTheNodesWithinTStepsAndPointsOneLevelBack) {
  for_many_inputs([](int n, Random& random) {
    const auto A = random_graph(n, Kind::Undirected, false, random);
    const int s = random.below(n);
    const auto sample = run(bfs_spec, bfs, {A, s});
    const auto level = hops(A, s);
    double deepest = 0;
    for (const double l : level)
      if (l < kFar) deepest = std::max(deepest, l);
    ASSERT_EQ(sample.length(), deepest + 1);
    for (int t = 0; t < sample.length(); ++t)
      for (int v = 0; v < n; ++v) EXPECT_EQ(mask(sample, "reach_h", t)[v], level[v] <= t);
    const auto pi = pointers(sample, "pi");
    for (int v = 0; v < n; ++v) {
      if (v == s || level[v] == kFar) {
        EXPECT_EQ(pi[v], v);
      } else {
        EXPECT_NE(A(pi[v], v), 0);
        EXPECT_EQ(level[pi[v]] + 1, level[v]);
      }
    }
  });
}

TEST(DijkstraLaw, DistancesAreTheShortest) {
  for_many_inputs([](int n, Random& random) {
    const auto A = random_graph(n, n % 2 ? Kind::Directed : Kind::Undirected, true, random);
    const int s = random.below(n);
    const auto sample = run(dijkstra_spec, dijkstra, {A, s});
    const int last = sample.length() - 1;
    EXPECT_EQ(sample.length(), 1 + reachable(A, s));
    expect_shortest_paths(A, s, scalars(sample, "d", last), mask(sample, "mark", last),
                          pointers(sample, "pi"));
    const auto u = marked_over_time(sample, "u");
    for (int t = 2; t <= last; ++t)
      EXPECT_LE(scalars(sample, "d", last)[u[t - 1]], scalars(sample, "d", last)[u[t]])
          << "settled in order";
  });
}

TEST(BellmanFordLaw, DistancesAreTheShortestWithAtMostTEdges) {
  for_many_inputs([](int n, Random& random) {
    const auto A = random_graph(n, n % 2 ? Kind::Directed : Kind::Undirected, true, random);
    const int s = random.below(n);
    const auto sample = run(bellman_ford_spec, bellman_ford, {A, s});
    const int last = sample.length() - 1;
    expect_shortest_paths(A, s, scalars(sample, "d", last), mask(sample, "msk", last),
                          pointers(sample, "pi"));

    std::vector<double> within(n, kFar);  // the shortest with at most t edges
    within[s] = 0;
    for (int t = 0; t < n + 1; ++t) {
      const auto before = within;
      for (int v = 0; v < n && t <= last; ++v)
        EXPECT_EQ(mask(sample, "msk", t)[v] ? scalars(sample, "d", t)[v] : kFar, within[v])
            << "step " << t;
      for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v)
          if (A(u, v) != 0) within[v] = std::min(within[v], before[u] + A(u, v));
      EXPECT_EQ(within == before, t >= last) << "it ends with the first round that changes nothing";
    }
  });
}

TEST(DagShortestPathsLaw, DistancesAreTheShortest) {
  for_many_inputs([](int n, Random& random) {
    const auto A = random_graph(n, Kind::Acyclic, true, random);
    const int s = random.below(n);
    const auto sample = run(dag_shortest_paths_spec, dag_shortest_paths, {A, s});
    const int last = sample.length() - 1;
    EXPECT_EQ(sample.length(), 3 * reachable(A, s) + 1);
    expect_shortest_paths(A, s, scalars(sample, "d", last), mask(sample, "mark", last),
                          pointers(sample, "pi"));
  });
}

TEST(FloydWarshallLaw, WalkingBackOverPiIsAShortestPath) {
  for_many_inputs([](int n, Random& random) {
    const auto A = random_graph(n, n % 2 ? Kind::Directed : Kind::Undirected, true, random);
    const auto sample = run(floyd_warshall_spec, floyd_warshall, {A});
    EXPECT_EQ(sample.length(), n);
    const auto Pi = pointers(sample, "Pi");
    for (int i = 0; i < n; ++i) {
      const auto wanted = distances(A, i);
      for (int j = 0; j < n; ++j) {
        if (i == j) continue;
        if (wanted[j] == kFar) {
          EXPECT_EQ(Pi[i * n + j], i);
          continue;
        }
        double length = 0;
        int v = j;
        for (int steps = 0; v != i && steps < n; ++steps) {
          const int before = Pi[i * n + v];
          ASSERT_NE(A(before, v), 0);
          length += A(before, v);
          v = before;
        }
        EXPECT_EQ(v, i) << "the walk from " << j << " never comes to " << i;
        EXPECT_EQ(length, wanted[j]) << "from " << i << " to " << j;
      }
    }
  });
}

/// The lightest possible heaviest edge between any two nodes, walking over `edges` only; kFar if
/// there is no way.
EdgeScalars bottlenecks(const EdgeScalars& edges) {
  const int n = edges.nodes();
  EdgeScalars heaviest = edges;
  for (double& entry : heaviest.values())
    if (entry == 0) entry = kFar;
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        heaviest(i, j) = std::min(heaviest(i, j), std::max(heaviest(i, k), heaviest(k, j)));
  return heaviest;
}

TEST(MstKruskalLaw, TheForestSpansAndNoEdgeOutsideCouldReplaceAHeavierOne) {
  for_many_inputs([](int n, Random& random) {
    const auto A = random_graph(n, Kind::Undirected, true, random);
    const auto in_mst = mask(run(mst_kruskal_spec, mst_kruskal, {A}), "in_mst");
    EXPECT_EQ(std::count(in_mst.begin(), in_mst.end(), 1), 2 * (n - components(A)));
    EdgeScalars forest(n);
    for (int i = 0; i < n * n; ++i) forest.values()[i] = in_mst[i] ? A.values()[i] : 0;
    const auto heaviest = bottlenecks(forest);
    for (int u = 0; u < n; ++u)
      for (int v = 0; v < n; ++v)
        EXPECT_TRUE(u == v || A(u, v) == 0 || heaviest(u, v) <= A(u, v)) << u << "-" << v;
  });
}

TEST(MstPrimLaw, WeighsAsMuchAsKruskalsTreeOfTheSameComponent) {
  for_many_inputs([](int n, Random& random) {
    const auto A = random_graph(n, Kind::Undirected, true, random);
    const int s = random.below(n);
    const auto sample = run(mst_prim_spec, mst_prim, {A, s});
    EXPECT_EQ(sample.length(), 1 + reachable(A, s));
    const auto pi = pointers(sample, "pi");
    const auto in_mst = mask(run(mst_kruskal_spec, mst_kruskal, {A}), "in_mst");
    const auto from_s = hops(A, s);
    double prim = 0, kruskal = 0;
    int edges = 0;
    for (int v = 0; v < n; ++v) {
      if (pi[v] != v) {
        prim += A(pi[v], v);
        ++edges;
      }
      for (int u = 0; u < v; ++u)
        if (in_mst[u * n + v] && from_s[v] < kFar) kruskal += A(u, v);
    }
    EXPECT_EQ(prim, kruskal);
    EXPECT_EQ(edges, reachable(A, s) - 1);
  });
}

}  // namespace
}  // namespace npq::clrs
