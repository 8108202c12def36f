// Molecules, targets and generated peptides against tests/golden/peptides.
#include <gmock/gmock.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "npq/peptides/chemistry.h"
#include "npq/peptides/generator.h"
#include "npq/peptides/ideal_shape.h"
#include "tests/support/error_text.h"
#include "tests/support/golden_folder.h"
#include "tests/support/temporary_folder.h"

namespace npq::peptides {
namespace {

using nlohmann::json;

json golden(const std::string& name) {
  return json::parse(npq::test::file_content(npq::test::golden_file("peptides/" + name)));
}

/// A graph as the golden files write it.
json as_json(const Graph& graph) {
  json edges = json::array({json::array(), json::array()});
  for (const auto& edge : graph.edges) {
    edges[0].push_back(edge.sender);
    edges[1].push_back(edge.receiver);
  }
  return {{"x", graph.atoms}, {"edge_index", edges}, {"edge_attr", graph.bonds}};
}

TEST(MoleculeGolden, EveryMoleculeHasExactlyOgbsFeatures) {
  int molecules = 0;
  for (const auto& molecule : golden("features.json")) {
    SCOPED_TRACE(molecule.at("name"));
    const auto found = as_json(graph_of_smiles(molecule.at("smiles").get<std::string>()));
    for (const auto* key : {"x", "edge_index", "edge_attr"})
      EXPECT_EQ(found.at(key), molecule.at(key)) << key;
    ++molecules;
  }
  std::printf("%d molecules\n", molecules);
  EXPECT_GT(molecules, 0);
}

TEST(MoleculeGolden, WhatIsNoMoleculeIsRefused) {
  for (const auto& molecule : golden("invalid.json")) {
    SCOPED_TRACE(molecule.at("name"));
    const auto smiles = molecule.at("smiles").get<std::string>();
    if (molecule.at("parses") && molecule.at("atoms") > 0)
      EXPECT_EQ(graph_of_smiles(smiles).nodes(), molecule.at("atoms"));
    else
      EXPECT_NE(npq::test::error_text([&] { graph_of_smiles(smiles); }), "");
  }
}

void expect_targets(const Targets& found, const json& wanted, double tolerance) {
  for (int k = 0; k < kTargets; ++k) {
    const double want = wanted.at(k);
    EXPECT_NEAR(found[k], want, tolerance * std::abs(want)) << kTargetNames[k];
  }
}

TEST(MoleculeGolden, TargetsAreThoseOfTheAuthorsFormulas) {
  for (const auto& peptide : golden("targets.json")) {
    SCOPED_TRACE(peptide.at("sequence"));
    const auto weights = weights_of_smiles(peptide.at("smiles").get<std::string>());
    const auto positions = peptide.at("xyz").get<std::vector<Point>>();
    expect_targets(shape_targets(positions, weights.mass, weights.hydrogens), peptide.at("y"),
                   1e-10);  // the README's tolerance
  }
}

TEST(MoleculeGolden, GeneratedPeptidesHaveTheirAtomsPlacesAndTargets) {
  int peptides = 0;
  for (const auto& peptide : golden("generated.json")) {
    const auto sequence = peptide.at("sequence").get<std::string>();
    SCOPED_TRACE(sequence);
    EXPECT_EQ(secondary_structure(sequence), peptide.at("states"));
    const auto chain = chain_of_sequence(sequence);
    std::vector<std::string> names;
    for (const auto& atom : chain.atoms)
      names.push_back(fmt::format("{}:{}", atom.residue, atom.name));
    EXPECT_EQ(json(names), peptide.at("names"));
    EXPECT_EQ(chain.smiles, peptide.at("smiles"));
    EXPECT_EQ(json(chain.smiles_order), peptide.at("smiles_order"));
    const auto made = generate_peptide(sequence);
    const auto wanted = peptide.at("xyz").get<std::vector<Point>>();
    ASSERT_EQ(made.positions.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(made.positions[i][k], wanted[i][k], 2e-6) << names[i];  // the README's
    expect_targets(made.targets, peptide.at("y"), 1e-9);
    ++peptides;
  }
  std::printf("%d generated peptides\n", peptides);
  EXPECT_GT(peptides, 0);
}

}  // namespace
}  // namespace npq::peptides
