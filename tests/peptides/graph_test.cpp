#include "npq/peptides/graph.h"

#include <gmock/gmock.h>

namespace npq::peptides {
namespace {

using ::testing::HasSubstr;

/// Two atoms, one bond.
Graph ethane() {
  return {.atoms = {{5, 0, 4, 5, 3, 0, 2, 0, 0}, {5, 0, 4, 5, 3, 0, 2, 0, 0}},
          .edges = {{0, 1}, {1, 0}},
          .bonds = {{0, 0, 0}, {0, 0, 0}}};
}

TEST(Graph, AMoleculeHasNoProblem) { EXPECT_EQ(problem_of(ethane()), ""); }

TEST(Graph, ASingleAtomIsAGraph) {
  auto graph = ethane();
  graph.atoms.pop_back();
  graph.edges.clear();
  graph.bonds.clear();
  EXPECT_EQ(problem_of(graph), "");
}

TEST(Graph, NoAtomsAreNone) { EXPECT_EQ(problem_of({}), "no atoms"); }

TEST(Graph, MoreThanAHundredThousandAtomsAreTooMany) {
  // No SMILES of the length allowed has so many; a featurised file may.
  Graph graph;
  graph.atoms.resize(kMostAtoms);
  EXPECT_EQ(problem_of(graph), "");
  graph.atoms.emplace_back();
  EXPECT_EQ(problem_of(graph), "100001 atoms; expected at most 100000");
}

TEST(Graph, AnEdgeMustLeadFromOneOfItsAtomsToAnother) {
  auto graph = ethane();
  graph.edges[1] = {1, 2};
  EXPECT_EQ(problem_of(graph), "edge 1 goes from 1 to 2, but there are 2 atoms");
  graph.edges[1] = {-1, 0};
  EXPECT_THAT(problem_of(graph), HasSubstr("from -1 to 0"));
  graph.edges[1] = {1, 1};
  EXPECT_EQ(problem_of(graph), "edge 1 goes from atom 1 to itself");
}

TEST(Graph, EveryFeatureHasARowInItsTable) {
  auto graph = ethane();
  graph.atoms[1][3] = 12;
  EXPECT_EQ(problem_of(graph), "feature 3 of atom 1 is 12; expected 0 to 11");
  graph = ethane();
  graph.bonds[0][1] = 6;
  EXPECT_EQ(problem_of(graph), "feature 1 of edge 0 is 6; expected 0 to 5");
  graph.bonds.pop_back();
  EXPECT_EQ(problem_of(graph), "2 edges, but features for 1");
}

}  // namespace
}  // namespace npq::peptides
