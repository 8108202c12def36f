#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "npq/peptides/graph.h"

// Chemistry by RDKit, whose headers stay in one .cpp. Without the library everything here throws an
// Error that says how to get it.
namespace npq::peptides {

/// "RDKit 2022.09.3"; empty if the program was built without it.
std::string chemistry_version();
/// Throws unless chemistry is there.
void require_chemistry();

inline constexpr std::size_t kLongestSmiles = 100'000;

/// The graph of a SMILES, featurised as OGB does, hydrogens implicit. What cannot be a molecule is
/// an Error that begins with a word on the SMILES, for the caller to put the row before.
Graph graph_of_smiles(std::string_view smiles);

/// A peptide built from its sequence: one letter per residue, lower case for the D form.
struct Chain {
  struct NamedAtom {
    int residue = 0;   // from 1 on
    std::string name;  // "CA"
    double mass = 0;
    int hydrogens = 0;
  };
  std::vector<NamedAtom> atoms;
  std::vector<Edge> bonds;  // each once
  std::string smiles;
  std::vector<int> smiles_order;  // position k of the SMILES is atom smiles_order[k]
};
Chain chain_of_sequence(const std::string& sequence);

/// Mass and hydrogens of each atom of a SMILES, in its order: what targets are computed from.
struct AtomWeights {
  std::vector<double> mass;
  std::vector<int> hydrogens;
};
AtomWeights weights_of_smiles(std::string_view smiles);

}  // namespace npq::peptides
