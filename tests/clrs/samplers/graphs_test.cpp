#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/clrs/samplers/drawn.h"

namespace npq::clrs {
namespace {

using ::testing::ElementsAre;

bool symmetric(const EdgeScalars& A) {
  for (int i = 0; i < A.nodes(); ++i) {
    for (int j = 0; j < i; ++j) {
      if (A(i, j) != A(j, i)) return false;
    }
  }
  return true;
}

/// Whether nodes without incoming edges can be taken away until none is left.
bool acyclic(const EdgeScalars& A) {
  std::vector<bool> gone(A.nodes(), false);
  for (int round = 0; round < A.nodes(); ++round) {
    int source = -1;
    for (int v = 0; v < A.nodes() && source < 0; ++v) {
      bool free = !gone[v];
      for (int u = 0; u < A.nodes(); ++u) free = free && (gone[u] || A(u, v) == 0);
      if (free) source = v;
    }
    if (source < 0) return false;
    gone[source] = true;
  }
  return true;
}

int edges(const EdgeScalars& A) {
  return static_cast<int>(
      std::count_if(A.values().begin(), A.values().end(), [](double a) { return a != 0; }));
}

TEST(Samplers, ADirectedGraphHasAnEdgeWhereTheNumberExceedsOneMinusP) {
  const auto u = random::RandomState(4).uniform(0, 1, 9);
  const auto A = drawn<Graph>(sample_dfs_graph, 4, 3, {.p = {0.25}}).A;
  for (int i = 0; i < 9; ++i) EXPECT_EQ(A.values()[i], u[i] > 0.75);
}

TEST(Samplers, AnUndirectedEdgeNeedsBothDirectionsAndTheSourceComesLast) {
  random::RandomState random(4);
  const auto u = random.uniform(0, 1, 9);
  const auto graph = drawn<GraphWithSource>(sample_bfs_graph, 4, 3);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_EQ(graph.A(i, j), u[3 * i + j] > 0.5 && u[3 * j + i] > 0.5);
  }
  EXPECT_EQ(graph.s, random.randint(0, 3));
}

TEST(Samplers, AnUndirectedWeightIsTheRootOfAProduct) {
  random::RandomState random(4);
  random.uniform(0, 1, 4);  // the edges, all there with p = 1
  const auto w = random.uniform(0, 1, 4);
  const auto A = drawn<Graph>(sample_kruskal_graph, 4, 2, {.p = {1.0}}).A;
  const double between = std::sqrt(w[1] * w[2] + 0.001);
  EXPECT_THAT(A.values(), ElementsAre(std::sqrt(w[0] * w[0] + 0.001), between, between,
                                      std::sqrt(w[3] * w[3] + 0.001)));
}

TEST(Samplers, GraphsObeyTheirKind) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    EXPECT_TRUE(symmetric(drawn<GraphWithSource>(sample_bfs_graph, seed, 12).A));
    EXPECT_TRUE(symmetric(drawn<Graph>(sample_articulation_graph, seed, 12).A));
    EXPECT_TRUE(symmetric(drawn<Graph>(sample_kruskal_graph, seed, 12).A));
    EXPECT_TRUE(symmetric(drawn<Graph>(sample_floyd_warshall_graph, seed, 12).A));
    EXPECT_TRUE(symmetric(drawn<GraphWithSource>(sample_weighted_graph_with_source, seed, 12).A));
    EXPECT_FALSE(symmetric(drawn<Graph>(sample_dfs_graph, seed, 12).A));
    EXPECT_TRUE(acyclic(drawn<Graph>(sample_topological_graph, seed, 12).A));
    EXPECT_TRUE(acyclic(drawn<GraphWithSource>(sample_dag_with_source, seed, 12).A));
    EXPECT_FALSE(acyclic(drawn<Graph>(sample_dfs_graph, seed, 12).A));
  }
}

TEST(Samplers, ACompleteDagHasAllPairsOnceAndWeightsDrawnForEveryPair) {
  EXPECT_EQ(edges(drawn<Graph>(sample_topological_graph, 1, 6, {.p = {1.0}}).A), 15);
  random::RandomState random(1);
  random.uniform(0, 1, 4);
  const auto place = random.permutation(2);
  const auto w = random.uniform(-5, -1, 4);
  const auto graph =
      drawn<GraphWithSource>(sample_dag_with_source, 1, 2, {.low = -5, .high = -1, .p = {1.0}});
  // The only edge leads from the node put in place 0 to the other.
  const int from = static_cast<int>(place[0] == 0 ? 0 : 1);
  EXPECT_EQ(graph.A(from, 1 - from), w[from == 0 ? 1 : 2]);
  EXPECT_EQ(edges(graph.A), 1);
  EXPECT_EQ(graph.s, random.randint(0, 2));
}

TEST(Samplers, TheEdgeProbabilityIsChosenFirstAmongThoseGiven) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    const bool full = random::RandomState(seed).choice(2) == 1;
    for (const auto sample : {sample_dfs_graph, sample_articulation_graph, sample_kruskal_graph}) {
      EXPECT_EQ(edges(drawn<Graph>(sample, seed, 4, {.p = {1e-9, 1.0}}).A), full ? 16 : 0) << seed;
    }
  }
}

TEST(Samplers, EverySamplerHasItsOwnEdgeProbability) {
  // 100 nodes: 10000 numbers. One pair in two (directed), or 1/4 and 1/25 (both directions).
  EXPECT_NEAR(edges(drawn<Graph>(sample_dfs_graph, 1, 100).A), 5000, 250);
  EXPECT_NEAR(edges(drawn<GraphWithSource>(sample_bfs_graph, 1, 100).A), 2500, 250);
  EXPECT_NEAR(edges(drawn<GraphWithSource>(sample_weighted_graph_with_source, 1, 100).A), 2500,
              250);
  EXPECT_NEAR(edges(drawn<Graph>(sample_floyd_warshall_graph, 1, 100).A), 2500, 250);
  EXPECT_NEAR(edges(drawn<Graph>(sample_topological_graph, 1, 100).A), 2475, 250);
  EXPECT_NEAR(edges(drawn<GraphWithSource>(sample_dag_with_source, 1, 100).A), 2475, 250);
  EXPECT_NEAR(edges(drawn<Graph>(sample_articulation_graph, 1, 100).A), 420, 100);
  EXPECT_NEAR(edges(drawn<Graph>(sample_kruskal_graph, 1, 100).A), 420, 100);
}

std::vector<int> degrees(const EdgeScalars& A) {
  std::vector<int> out(A.nodes(), 0);
  for (int i = 0; i < A.nodes(); ++i) {
    for (int j = 0; j < A.nodes(); ++j) out[i] += A(i, j) != 0;
  }
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Samplers, CommunitiesAreEqualBlocksAndTheLastTakesTheRest) {
  // 7 nodes in 3 blocks: 2, 2 and 3 nodes, complete inside with p = 1, apart with eps = 0.
  EXPECT_THAT(degrees(drawn<Graph>(sample_communities, 1, 7, {.p = {1.0}, .k = 3, .eps = 0}).A),
              ElementsAre(2, 2, 2, 2, 3, 3, 3));
}

TEST(Samplers, FlippedPairsLeadToLaterCommunitiesNeverBack) {
  // Blocks of 2, 2 and 3 without edges, all pairs flipped: a node reaches its own and later blocks.
  EXPECT_THAT(degrees(drawn<Graph>(sample_communities, 1, 7, {.p = {1e-9}, .k = 3, .eps = 1}).A),
              ElementsAre(3, 3, 3, 5, 5, 7, 7));
  // Complete blocks lose what is inside them.
  EXPECT_THAT(degrees(drawn<Graph>(sample_communities, 1, 7, {.p = {1.0}, .k = 3, .eps = 1}).A),
              ElementsAre(0, 0, 0, 3, 3, 5, 5));
}

}  // namespace
}  // namespace npq::clrs
