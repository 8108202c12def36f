// Spanning trees and shortest paths on graphs small enough to follow by hand.
#include <gmock/gmock.h>

#include <vector>

#include "npq/base/error.h"
#include "npq/clrs/algorithms/algorithms.h"
#include "tests/support/run_algorithm.h"

namespace npq::clrs {
namespace {

using namespace npq::test;
using testing::ElementsAre;

struct Edge {
  int u, v;
  double weight = 1;
};

EdgeScalars directed(int n, const std::vector<Edge>& edges) {
  EdgeScalars A(n);
  for (const auto& [u, v, weight] : edges) A(u, v) = weight;
  return A;
}

EdgeScalars undirected(int n, const std::vector<Edge>& edges) {
  EdgeScalars A = directed(n, edges);
  for (const auto& [u, v, weight] : edges) A(v, u) = weight;
  return A;
}

EdgeScalars triangle() { return undirected(3, {{0, 1, 1}, {1, 2, 2}, {0, 2, 4}}); }

TEST(Bfs, ReachesAllNodesOfOneDistanceInOneStep) {
  const auto sample = run(bfs_spec, bfs, {undirected(5, {{1, 0}, {1, 2}, {2, 3}}), 1});
  EXPECT_EQ(sample.length(), 3);
  EXPECT_THAT(mask(sample, "reach_h", 0), ElementsAre(0, 1, 0, 0, 0));
  EXPECT_THAT(mask(sample, "reach_h", 1), ElementsAre(1, 1, 1, 0, 0));
  EXPECT_THAT(mask(sample, "reach_h", 2), ElementsAre(1, 1, 1, 1, 0));
  EXPECT_THAT(pointers(sample, "pi_h", 0), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(pointers(sample, "pi"), ElementsAre(1, 1, 1, 2, 4));
}

TEST(MstKruskal, LeavesOutTheHeaviestEdgeOfATriangle) {
  const auto sample = run(mst_kruskal_spec, mst_kruskal, {triangle()});
  EXPECT_THAT(mask(sample, "in_mst"), ElementsAre(0, 1, 0,  //
                                                  1, 0, 1,  //
                                                  0, 1, 0));
}

TEST(MstKruskal, RecordsEveryStepOfTheWalksToTheRoots) {
  const auto sample = run(mst_kruskal_spec, mst_kruskal, {triangle()});
  // Edges 0-1 and 1-2 join at once (0 -> 1 -> 2); from 0, edge 0-2 climbs over 1 to 2, and finds v
  // there already.
  EXPECT_THAT(class_over_time(sample, "phase"), ElementsAre(0, 1, 0, 1, 0, 1, 1, 1, 0));
  EXPECT_THAT(marked_over_time(sample, "root_u"), ElementsAre(0, 0, 0, 1, 1, 0, 1, 2, 2));
  EXPECT_THAT(marked_over_time(sample, "root_v"), ElementsAre(0, 1, 1, 2, 2, 2, 2, 2, 2));
  EXPECT_THAT(pointers(sample, "pi", 4), ElementsAre(1, 2, 2));
  EXPECT_THAT(pointers(sample, "pi", 7), ElementsAre(2, 2, 2)) << "the path is compressed";
  EXPECT_THAT(mask(sample, "mask_u", 8), ElementsAre(1, 1, 1));
  EXPECT_THAT(mask(sample, "mask_v", 8), ElementsAre(0, 0, 1));
}

TEST(MstKruskal, WithoutEdgesRecordsOnlyTheStart) {
  EXPECT_EQ(run(mst_kruskal_spec, mst_kruskal, {undirected(3, {{1, 1, 1}})}).length(), 1);
}

TEST(MstPrim, TakesTheNearestNodeIntoTheTree) {
  const auto sample = run(mst_prim_spec, mst_prim, {triangle(), 0});
  EXPECT_THAT(pointers(sample, "pi"), ElementsAre(0, 0, 1));
  EXPECT_THAT(marked_over_time(sample, "u"), ElementsAre(0, 0, 1, 2));
  EXPECT_THAT(scalars(sample, "key", 1), ElementsAre(0, 1, 4));
  EXPECT_THAT(scalars(sample, "key", 2), ElementsAre(0, 1, 2));
  EXPECT_THAT(mask(sample, "in_queue", 1), ElementsAre(0, 1, 1));
  EXPECT_THAT(mask(sample, "mark", 2), ElementsAre(1, 1, 0));
}

TEST(Dijkstra, SettlesTheNodesOfTheBooksFigure246InOrderOfDistance) {
  // s t x y z are 0..4.
  const auto A = directed(5, {{0, 1, 10},
                              {0, 3, 5},
                              {1, 2, 1},
                              {1, 3, 2},
                              {2, 4, 4},
                              {3, 1, 3},
                              {3, 2, 9},
                              {3, 4, 2},
                              {4, 0, 7},
                              {4, 2, 6}});
  const auto sample = run(dijkstra_spec, dijkstra, {A, 0});
  EXPECT_THAT(marked_over_time(sample, "u"), ElementsAre(0, 0, 3, 4, 1, 2));
  EXPECT_THAT(scalars(sample, "d", 1), ElementsAre(0, 10, 0, 5, 0));
  EXPECT_THAT(scalars(sample, "d", 2), ElementsAre(0, 8, 14, 5, 7));
  EXPECT_THAT(scalars(sample, "d", 3), ElementsAre(0, 8, 13, 5, 7));
  EXPECT_THAT(scalars(sample, "d", 5), ElementsAre(0, 8, 9, 5, 7));
  EXPECT_THAT(mask(sample, "in_queue", 2), ElementsAre(0, 1, 1, 0, 1));
  EXPECT_THAT(pointers(sample, "pi"), ElementsAre(0, 3, 1, 0, 3));
}

TEST(BellmanFord, FindsThePathsOfTheBooksFigure244OverNegativeEdges) {
  // s t x y z are 0..4.
  const auto A = directed(5, {{0, 1, 6},
                              {0, 3, 7},
                              {1, 2, 5},
                              {1, 3, 8},
                              {1, 4, -4},
                              {2, 1, -2},
                              {3, 2, -3},
                              {3, 4, 9},
                              {4, 0, 2},
                              {4, 2, 7}});
  const auto sample = run(bellman_ford_spec, bellman_ford, {A, 0});
  EXPECT_EQ(sample.length(), 5);
  EXPECT_THAT(scalars(sample, "d", 1), ElementsAre(0, 6, 0, 7, 0));
  EXPECT_THAT(mask(sample, "msk", 1), ElementsAre(1, 1, 0, 1, 0));
  EXPECT_THAT(scalars(sample, "d", 2), ElementsAre(0, 6, 4, 7, 2));
  EXPECT_THAT(scalars(sample, "d", 3), ElementsAre(0, 2, 4, 7, 2));
  EXPECT_THAT(scalars(sample, "d", 4), ElementsAre(0, 2, 4, 7, -2));
  EXPECT_THAT(pointers(sample, "pi"), ElementsAre(0, 2, 3, 0, 1));
}

TEST(BellmanFord, RefusesANegativeCycleInsteadOfRunningForEver) {
  EXPECT_THROW(run(bellman_ford_spec, bellman_ford, {undirected(2, {{0, 1, -1}}), 0}), Error);
}

TEST(DagShortestPaths, FindsThePathsOfTheBooksFigure245) {
  // r s t x y z are 0..5; r is not reached.
  const auto A = directed(6, {{0, 1, 5},
                              {0, 2, 3},
                              {1, 2, 2},
                              {1, 3, 6},
                              {2, 3, 7},
                              {2, 4, 4},
                              {2, 5, 2},
                              {3, 4, -1},
                              {3, 5, 1},
                              {4, 5, -2}});
  const auto sample = run(dag_shortest_paths_spec, dag_shortest_paths, {A, 1});
  EXPECT_EQ(sample.length(), 3 * 5 + 1);
  EXPECT_THAT(scalars(sample, "d", 15), ElementsAre(0, 0, 2, 6, 5, 3));
  EXPECT_THAT(mask(sample, "mark", 15), ElementsAre(0, 1, 1, 1, 1, 1));
  EXPECT_THAT(pointers(sample, "pi"), ElementsAre(0, 1, 1, 1, 3, 4));
  EXPECT_THAT(pointers(sample, "topo_h", 15), ElementsAre(0, 2, 3, 4, 5, 5));
  EXPECT_THAT(flag_over_time(sample, "phase"),
              ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1));
  EXPECT_EQ(marked(sample, "topo_head_h", 11), 1);
  EXPECT_EQ(marked(sample, "topo_head_h", 15), 5);
}

TEST(FloydWarshall, GoesRoundAHeavyEdgeOnceItsMiddleNodeIsAllowed) {
  const auto sample = run(floyd_warshall_spec, floyd_warshall, {triangle()});
  EXPECT_THAT(marked_over_time(sample, "k"), ElementsAre(0, 1, 2));
  EXPECT_THAT(scalars(sample, "D", 1), ElementsAre(0, 1, 4, 1, 0, 2, 4, 2, 0));
  EXPECT_THAT(scalars(sample, "D", 2), ElementsAre(0, 1, 3, 1, 0, 2, 3, 2, 0));
  EXPECT_THAT(pointers(sample, "Pi_h", 1), ElementsAre(0, 0, 0, 1, 1, 1, 2, 2, 2));
  EXPECT_THAT(pointers(sample, "Pi"), ElementsAre(0, 0, 1, 1, 1, 1, 1, 2, 2));
}

TEST(FloydWarshall, ShowsWhichPairsHaveAPathSoFar) {
  const auto sample =
      run(floyd_warshall_spec, floyd_warshall, {directed(3, {{0, 1, 1}, {1, 2, 1}})});
  EXPECT_THAT(mask(sample, "msk", 1), ElementsAre(1, 1, 0, 0, 1, 1, 0, 0, 1));
  EXPECT_THAT(mask(sample, "msk", 2), ElementsAre(1, 1, 1, 0, 1, 1, 0, 0, 1));
}

}  // namespace
}  // namespace npq::clrs
