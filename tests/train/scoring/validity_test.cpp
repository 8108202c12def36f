#include "npq/train/scoring/validity.h"

#include <gmock/gmock.h>

#include <limits>

#include "npq/clrs/dataset/dataset.h"
#include "tests/support/error_text.h"

namespace npq::train {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kNever = std::numeric_limits<double>::infinity();

clrs::EdgeScalars graph(int nodes, const std::vector<std::tuple<int, int, double>>& edges) {
  clrs::EdgeScalars A(nodes);
  for (const auto& [i, j, weight] : edges) A(i, j) = weight;
  return A;
}

// 0 -> 1 -> 3 and 0 -> 2 -> 3, both of length 3; nobody reaches 4, which has an edge to 3.
const clrs::EdgeScalars kDiamond =
    graph(5, {{0, 1, 1}, {0, 2, 2}, {1, 3, 2}, {2, 3, 1}, {4, 3, 1}});

TEST(Validity, DistancesAreThoseOfShortestPaths) {
  EXPECT_THAT(distances(kDiamond, 0), ElementsAre(0, 1, 2, 3, kNever));
  EXPECT_THAT(distances(graph(3, {{0, 1, 5}, {0, 2, 7}, {2, 1, -4}}), 0), ElementsAre(0, 3, 7));
}

TEST(Validity, EveryShortestParentIsRightNotOnlyTheRecordedOne) {
  EXPECT_THAT(valid_parents("dijkstra", kDiamond, 0, {0, 0, 0, 1, 4}), Each(1));
  EXPECT_THAT(valid_parents("dijkstra", kDiamond, 0, {0, 0, 0, 2, 4}), Each(1));
}

TEST(Validity, WrongParentsAreToldNodeByNode) {
  // The source points away, 1 points to itself, 2 to a node without an edge to it, 3 to one that no
  // path reaches, and 4 should point to itself.
  EXPECT_THAT(valid_parents("dijkstra", kDiamond, 0, {1, 1, 1, 4, 3}), Each(0));
  // An edge that is no shortest way: 0 -> 3 costs 9.
  EXPECT_THAT(valid_parents("dijkstra", graph(3, {{0, 1, 1}, {1, 2, 1}, {0, 2, 9}}), 0, {0, 0, 0}),
              ElementsAre(1, 1, 0));
}

TEST(Validity, RoundingOfSumsIsForgivenButNothingLarger) {
  // 0.1 + 0.2 is not 0.3 in doubles: both ways count as equally short.
  const auto A = graph(3, {{0, 1, 0.1}, {1, 2, 0.2}, {0, 2, 0.3}});
  EXPECT_THAT(valid_parents("dijkstra", A, 0, {0, 0, 0}), Each(1));
  EXPECT_THAT(valid_parents("dijkstra", A, 0, {0, 0, 1}), Each(1));
  const auto B = graph(3, {{0, 1, 0.1}, {1, 2, 0.2000001}, {0, 2, 0.3}});
  EXPECT_THAT(valid_parents("dijkstra", B, 0, {0, 0, 1}), ElementsAre(1, 1, 0));
}

TEST(Validity, ANodeIsNotItsOwnParentHoweverLittleItsLoopWeighs) {
  const auto A = graph(2, {{0, 1, 1}, {1, 1, 1e-12}});
  EXPECT_THAT(valid_parents("dijkstra", A, 0, {0, 1}), ElementsAre(1, 0));
}

TEST(Validity, BreadthFirstSearchCountsEdges) {
  // 3 is two edges away through 1 and through 2, whatever they weigh.
  const auto A = graph(4, {{0, 1, 1}, {0, 2, 5}, {1, 3, 1}, {2, 3, 5}});
  EXPECT_THAT(valid_parents("bfs", A, 0, {0, 0, 0, 2}), Each(1));
  EXPECT_THAT(valid_parents("dijkstra", A, 0, {0, 0, 0, 2}), ElementsAre(1, 1, 1, 0));
}

TEST(Validity, ACycleOfNegativeWeightHasNoDistances) {
  EXPECT_THAT(test::error_text([] {
                distances(graph(2, {{0, 1, 1}, {1, 0, -2}}), 0);
              }),
              HasSubstr("negative weight"));
}

class RecordedAnswers : public ::testing::TestWithParam<const char*> {};

TEST_P(RecordedAnswers, AreAllValid) {
  ASSERT_TRUE(has_many_answers(GetParam()));
  const auto dataset =
      clrs::generate(clrs::find_algorithm(GetParam()), {.seed = 3, .length = 20, .samples = 50});
  for (const auto& sample : dataset.samples) {
    clrs::EdgeScalars A(sample.nodes());
    sample.series("A").expand(0, A.values().data());
    std::vector<double> pi(sample.nodes());
    sample.series("pi").expand(0, pi.data());
    const int s = sample.series("s").frame<std::uint16_t>(0)[0];
    EXPECT_THAT(valid_parents(GetParam(), A, s, pi), Each(1));
  }
}

INSTANTIATE_TEST_SUITE_P(Of, RecordedAnswers,
                         ::testing::Values("dijkstra", "bellman_ford", "dag_shortest_paths",
                                           "bfs"));

TEST(Validity, OnlyShortestPathsHaveManyAnswers) {
  EXPECT_FALSE(has_many_answers("mst_prim"));
  EXPECT_FALSE(has_many_answers("dfs"));
}

}  // namespace
}  // namespace npq::train
