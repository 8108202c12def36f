// npq data show: what it prints, and what it shows where nothing is asked for.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/run_command.h"

namespace npq::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(DataShow, TellsWhatEachStepChanged) {
  const auto answer = run_npq({"data", "show", "minimum", "--nodes", "3", "--seed", "1"});
  EXPECT_EQ(answer.exit_code, 0);
  // Keys 0.417, 0.720, 0.0001: the minimum moves once, to node 2, in the last step.
  EXPECT_THAT(answer.out, HasSubstr("min_h 0 -> 2"));
  EXPECT_THAT(answer.out, HasSubstr("outputs\n  min: 2\n"));
}

TEST(DataShow, ShowsARealRunOfEveryAlgorithmByDefault) {
  for (const auto& one : nlohmann::json::parse(run_npq({"data", "list", "--json"}).out)) {
    const auto name = one["name"].get<std::string>();
    const auto trace = nlohmann::json::parse(run_npq({"data", "show", name, "--json"}).out);
    int eventful = 0;
    for (int t = 1; t < trace["length"].get<int>(); ++t)
      eventful += std::ranges::any_of(trace["hints"],
                                      [&](const auto& hint) { return hint[t] != hint[t - 1]; });
    EXPECT_GE(eventful, 3) << name;
  }
}

TEST(DataShow, ByDefaultMostNodesOfAGraphAreReached) {
  for (const char* name : {"bfs", "mst_prim", "dijkstra", "bellman_ford", "dag_shortest_paths"}) {
    const auto trace = nlohmann::json::parse(run_npq({"data", "show", name, "--json"}).out);
    const auto parents = trace["outputs"]["pi"].get<std::vector<int>>();
    int reached = 0;
    for (int i = 0; i < std::ssize(parents); ++i) reached += parents[i] != i;
    EXPECT_GE(reached, 5) << name << ": " << trace["outputs"]["pi"];
  }
}

TEST(DataShow, WithASeedItIsThatSeeds) {
  const auto answer = run_npq({"data", "show", "dijkstra", "--seed", "1"});
  EXPECT_THAT(answer.out, StartsWith("dijkstra on 8 nodes, seed 1: 2 steps"));
}

TEST(DataShow, HasTheWholeTraceAsJson) {
  const auto json = nlohmann::json::parse(
      run_npq({"data", "show", "bfs", "--nodes", "5", "--seed", "2", "--json"}).out);
  EXPECT_EQ(json["hints"]["reach_h"].size(), json["length"].get<std::size_t>());
  EXPECT_EQ(json["inputs"]["A"].size(), 5u);
  EXPECT_EQ(json["outputs"]["pi"].size(), 5u);
}

}  // namespace
}  // namespace npq::test
