#include "npq/clrs/algorithms/graphs/dijkstra_schedule.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "npq/base/formats/safetensors.h"
#include "npq/clrs/algorithms/algorithms.h"
#include "tests/support/run_algorithm.h"

namespace npq::clrs {
namespace {

using ::testing::ElementsAre;

/// 0 - 1 (weight 1), 0 - 2 (5), 1 - 2 (2); node 3 alone.
EdgeScalars small_graph() {
  EdgeScalars A(4);
  A(0, 1) = A(1, 0) = 1;
  A(0, 2) = A(2, 0) = 5;
  A(1, 2) = A(2, 1) = 2;
  return A;
}

TEST(OracleSchedule, ListsTheNodesInTheOrderTheyLeaveTheQueue) {
  EXPECT_THAT(oracle_schedule(small_graph(), 0).order, ElementsAre(0, 1, 2, -1));
}

TEST(OracleSchedule, AChildIsInsertedOrGetsALowerKey) {
  // 0 inserts 1 and 2; 1 lowers 2 from 5 to 3; 2 finds nothing to do.
  EXPECT_THAT(oracle_schedule(small_graph(), 0).children.values(),
              ElementsAre(0, 1, 1, 0, /**/ 0, 0, 1, 0, /**/ 0, 0, 0, 0, /**/ 0, 0, 0, 0));
}

TEST(OracleSchedule, AgreesWithTheHintsOfTheTrace) {
  const auto sample = test::run(dijkstra_spec, dijkstra, {small_graph(), 0});
  const auto schedule = oracle_schedule(small_graph(), 0);
  for (int k = 0; k + 1 < sample.length(); ++k)
    EXPECT_EQ(schedule.order[k], test::marked(sample, "u", k + 1)) << "step " << k;
}

TEST(OracleSchedule, AgreesWithTheGoldenOracles) {
  int graphs = 0;
  for (const char* name : {"oracle.safetensors", "oracle_padding.safetensors"}) {
    const auto file =
        SafetensorsFile::open(std::filesystem::path(NPQ_TESTS_DIR) / "golden" / "model" / name);
    const auto A = file.values<double>("input/A"), s = file.values<double>("input/s");
    const auto order = file.values<double>("us_valid"),
               children = file.values<double>("input/us_pi");
    const auto shape = file.at("input/s").shape;
    const int n = static_cast<int>(shape[1]);
    for (int b = 0; b < shape[0]; ++b, ++graphs) {
      EdgeScalars graph(n);
      std::copy_n(A.begin() + b * n * n, n * n, graph.values().begin());
      int source = 0;
      while (s[b * n + source] == 0) ++source;
      const auto schedule = oracle_schedule(graph, source);
      for (int k = 0; k < n; ++k) EXPECT_EQ(schedule.order[k], order[b * n + k]) << name << b;
      for (int e = 0; e < n * n; ++e)
        EXPECT_EQ(schedule.children.values()[e], children[b * n * n + e]) << name << b;
    }
  }
  EXPECT_EQ(graphs, 6);
}

}  // namespace
}  // namespace npq::clrs
