#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "npq/peptides/dataset.h"
#include "npq/peptides/targets.h"

namespace npq::peptides {

struct GenerateOptions {
  std::int64_t count = 2000;
  std::uint64_t seed = 1;

  /// Throws a UsageError that names the flag, what it holds and what it may hold.
  void validate() const;
};

/// Random sequences of amino acids: length round(Gamma(4, 4.84)) within 2 to 50, residues as often
/// as residues.cpp says, no sequence twice. Row k depends on the seed and the rows before it, not
/// on how many follow.
std::vector<std::string> random_sequences(const GenerateOptions& options);

/// One peptide as the data set holds it: the graph of its SMILES and the targets of its ideal
/// shape.
struct GeneratedPeptide {
  Graph graph;
  Targets targets;
  std::vector<Point> positions;  // of the chain's atoms, in RDKit's order, Angstrom
  std::string smiles;
};
GeneratedPeptide generate_peptide(const std::string& sequence);

/// Same options, same data, on any number of threads.
Dataset generate(const GenerateOptions& options, int threads = 0, const Progress& progress = {});

}  // namespace npq::peptides
