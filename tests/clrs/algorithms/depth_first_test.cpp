// The depth-first algorithms on graphs small enough to follow by hand.
#include <gmock/gmock.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "npq/clrs/algorithms/algorithms.h"
#include "tests/support/run_algorithm.h"

namespace npq::clrs {
namespace {

using namespace npq::test;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

Graph directed(int n, const std::vector<std::pair<int, int>>& edges) {
  Graph graph{EdgeScalars(n)};
  for (const auto& [u, v] : edges) graph.A(u, v) = 1;
  return graph;
}

Graph undirected(int n, const std::vector<std::pair<int, int>>& edges) {
  Graph graph = directed(n, edges);
  for (const auto& [u, v] : edges) graph.A(v, u) = 1;
  return graph;
}

/// Times in hundredths, whatever the rounding of the sums.
auto hundredths(std::vector<double> times) {
  for (double& time : times) time /= 100;
  return Pointwise(DoubleNear(1e-12), times);
}

// A triangle 0-1-2 with a tail from 2 to 3.
const std::vector<std::pair<int, int>> kTriangleWithTail = {{0, 1}, {1, 2}, {0, 2}, {2, 3}};

TEST(Dfs, FindsTheTimesAndParentsOfTheBooksFigure224) {
  // u v w x y z are 0..5.
  const auto sample = run(
      dfs_spec, dfs, directed(6, {{0, 1}, {0, 3}, {1, 4}, {2, 4}, {2, 5}, {3, 1}, {4, 3}, {5, 5}}));
  EXPECT_EQ(sample.length(), 18);
  EXPECT_THAT(pointers(sample, "pi"), ElementsAre(0, 0, 2, 4, 1, 2));
  EXPECT_THAT(scalars(sample, "d", 17), hundredths({1, 2, 9, 4, 3, 10}));
  EXPECT_THAT(scalars(sample, "f", 17), hundredths({8, 7, 12, 5, 6, 11}));
  EXPECT_THAT(classes(sample, "color", 17), ElementsAre(2, 2, 2, 2, 2, 2));
}

TEST(Dfs, RecordsRootDiscoveryPushAndFinishInThisOrder) {
  const auto sample = run(dfs_spec, dfs, directed(3, {{0, 2}}));
  // Root 0, discover 0, push 2, discover 2, finish 2, finish 0; then node 1: root, discover,
  // finish.
  EXPECT_THAT(marked_over_time(sample, "s"), ElementsAre(0, 0, 0, 0, 0, 0, 1, 1, 1));
  EXPECT_THAT(marked_over_time(sample, "u"), ElementsAre(0, 0, 0, 2, 2, 0, 1, 1, 1));
  EXPECT_THAT(marked_over_time(sample, "v"), ElementsAre(0, 0, 2, 2, 2, 2, 1, 1, 2));
  EXPECT_THAT(marked_over_time(sample, "s_last"), ElementsAre(0, 0, 2, 2, 2, 0, 1, 1, 1));
  EXPECT_THAT(classes(sample, "color", 2), ElementsAre(1, 0, 1)) << "grey from the push on";
  EXPECT_THAT(pointers(sample, "s_prev", 4), ElementsAre(0, 1, 0))
      << "a finished node leaves the stack";
  EXPECT_THAT(pointers(sample, "s_prev", 5), ElementsAre(0, 1, 2)) << "one record later";
}

TEST(Dfs, CountsTimeByRepeatedAdditionOfAHundredth) {
  const auto time = scalar_over_time(run(dfs_spec, dfs, directed(5, {})), "time");
  EXPECT_EQ(time[8], 0.060000000000000005);
  EXPECT_EQ(time[14], 0.09999999999999999);
}

TEST(TopologicalSort, PointsEachNodeToItsSuccessorAndTheLastToItself) {
  // 2 before 0 before 1, and 3 alone: finished in the order 1 0 2 3, so sorted 3 2 0 1.
  const auto sample =
      run(topological_sort_spec, topological_sort, directed(4, {{2, 0}, {0, 1}, {2, 1}}));
  EXPECT_THAT(pointers(sample, "topo"), ElementsAre(1, 1, 0, 2));
  EXPECT_EQ(marked(sample, "topo_head"), 3);
  // Only roots are discovered: root 0, discover, push 1, finish 1, finish 0; root, discover, finish
  // for 2 and 3.
  EXPECT_THAT(marked_over_time(sample, "topo_head_h"),
              ElementsAre(0, 0, 0, 1, 0, 0, 0, 2, 2, 2, 3));
}

TEST(ArticulationPoints, TheNodeBetweenATriangleAndItsTailIsTheOnlyOne) {
  const auto sample =
      run(articulation_points_spec, articulation_points, undirected(4, kTriangleWithTail));
  EXPECT_THAT(mask(sample, "is_cut"), ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(scalars(sample, "low", sample.length() - 1), hundredths({1, 1, 1, 4}));
  EXPECT_THAT(scalars(sample, "child_cnt", sample.length() - 1), hundredths({1, 1, 1, 0}));
}

TEST(ArticulationPoints, ARootCutsOnlyWithTwoSubtrees) {
  EXPECT_THAT(
      mask(run(articulation_points_spec, articulation_points, undirected(3, {{0, 1}, {0, 2}})),
           "is_cut"),
      ElementsAre(1, 0, 0));
  EXPECT_THAT(
      mask(run(articulation_points_spec, articulation_points, undirected(3, {{0, 1}, {1, 2}})),
           "is_cut"),
      ElementsAre(0, 1, 0));
}

TEST(ArticulationPoints, RecordsFinishedChildrenAgainWhenItsScanStartsAnew) {
  // On the path 0-1-2: root 0, discover 0, push 1, discover 1, push 2, discover 2, finish 2, then 1
  // sees 2 again, finish 1, 0 sees 1 again, finish 0.
  const auto sample =
      run(articulation_points_spec, articulation_points, undirected(3, {{0, 1}, {1, 2}}));
  EXPECT_THAT(marked_over_time(sample, "u"), ElementsAre(0, 0, 0, 1, 1, 2, 2, 1, 1, 0, 0));
  EXPECT_THAT(marked_over_time(sample, "v"), ElementsAre(0, 0, 1, 1, 2, 2, 2, 2, 2, 1, 2));
}

TEST(Bridges, OnlyTheTailOfATriangleIsOneAndWhatIsNoEdgeDoesNotCount) {
  const auto sample = run(bridges_spec, bridges, undirected(4, kTriangleWithTail));
  EXPECT_THAT(mask(sample, "is_bridge"), ElementsAre(0, 0, 0, -1,  //
                                                     0, 0, 0, -1,  //
                                                     0, 0, 0, 1,   //
                                                     -1, -1, 1, 0));
  EXPECT_THAT(mask(sample, "is_bridge_h", 0), ElementsAre(0, 0, 0, -1,  //
                                                          0, 0, 0, -1,  //
                                                          0, 0, 0, 0,   //
                                                          -1, -1, 0, 0));
}

TEST(StronglyConnectedComponents, AreThoseOfTheBooksFigure229) {
  // a..h are 0..7; the components are abe, cd, fg, h, each named by its node that finished last.
  const auto sample = run(strongly_connected_components_spec, strongly_connected_components,
                          directed(8, {{0, 1},
                                       {1, 2},
                                       {1, 4},
                                       {1, 5},
                                       {2, 3},
                                       {2, 6},
                                       {3, 2},
                                       {3, 7},
                                       {4, 0},
                                       {4, 5},
                                       {5, 6},
                                       {6, 5},
                                       {6, 7},
                                       {7, 7}}));
  EXPECT_THAT(pointers(sample, "scc_id"), ElementsAre(0, 0, 2, 2, 0, 6, 6, 7));
  EXPECT_EQ(sample.length(), 5 * 8 + 4);
  const auto phase = flag_over_time(sample, "phase");
  EXPECT_EQ(std::count(phase.begin(), phase.end(), 0), 3 * 8);
}

TEST(StronglyConnectedComponents, ShowsTheTransposedGraphAndDiscoversOnlyRootsAgain) {
  const auto sample = run(strongly_connected_components_spec, strongly_connected_components,
                          directed(2, {{0, 1}, {1, 0}}));
  EXPECT_THAT(mask(sample, "A_t"), ElementsAre(1, 1, 1, 1));
  // Search: root 0, discover, push 1, discover, finish, finish. Again: root 0, discover, push 1,
  // finish, finish.
  EXPECT_THAT(marked_over_time(sample, "u"), ElementsAre(0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0));
  EXPECT_THAT(scalars(sample, "d", 10), hundredths({5, 2}));
  EXPECT_THAT(scalars(sample, "f", 10), hundredths({7, 6}));
  EXPECT_THAT(pointers(sample, "scc_id_h", 8), ElementsAre(0, 1));
  EXPECT_THAT(pointers(sample, "scc_id_h", 9), ElementsAre(0, 0));
}

}  // namespace
}  // namespace npq::clrs
