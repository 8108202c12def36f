#include "npq/peptides/generator.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>

#include "npq/base/error.h"
#include "npq/base/parallel.h"
#include "npq/peptides/chemistry.h"
#include "npq/peptides/ideal_shape.h"
#include "npq/peptides/random_rows.h"
#include "npq/peptides/residues.h"

namespace npq::peptides {
namespace {

constexpr int kShortest = 2, kLongest = 50;

/// A gamma number of shape 4 is the sum of four exponential ones.
int random_length(RowStream& stream) {
  constexpr double kScale = 4.84;
  double sum = 0;
  for (int k = 0; k < 4; ++k) sum -= std::log1p(-stream.uniform());  // of 1-u, which is never 0
  return std::clamp(static_cast<int>(std::lround(kScale * sum)), kShortest, kLongest);
}

char random_residue(RowStream& stream) {
  double total = 0;
  for (const auto& residue : residues()) total += residue.percent;
  double left = stream.uniform() * total;
  for (const auto& residue : residues()) {
    left -= residue.percent;
    if (left < 0) return residue.letter;
  }
  return residues().back().letter;
}

std::string random_sequence(RowStream& stream) {
  std::string sequence(static_cast<std::size_t>(random_length(stream)), ' ');
  for (char& letter : sequence) letter = random_residue(stream);
  return sequence;
}

/// Another RDKit may build or name atoms otherwise; then bonds would have absurd lengths.
void check_bonds(const Chain& chain, const std::vector<Point>& positions) {
  for (const auto& [a, b] : chain.bonds) {
    double squares = 0;
    for (int k = 0; k < 3; ++k) squares += std::pow(positions[a][k] - positions[b][k], 2);
    if (squares < 1.2 * 1.2 || squares > 1.85 * 1.85)
      throw Error(
          "the bond {}:{}-{}:{} has a length of {:.2f} Angstrom; {} builds peptides otherwise than "
          "the one this program knows (2022.09)",
          chain.atoms[a].residue, chain.atoms[a].name, chain.atoms[b].residue, chain.atoms[b].name,
          std::sqrt(squares), chemistry_version());
  }
}

std::vector<Point> positions_of(const Chain& chain, const std::string& sequence) {
  const auto shape = ideal_shape(sequence);
  std::vector<Point> positions;
  for (const auto& atom : chain.atoms) {
    const auto residue = static_cast<std::size_t>(atom.residue) - 1;
    const auto* places = residue < shape.size() ? &shape[residue] : nullptr;
    const auto found = places == nullptr ? Places::const_iterator() : places->find(atom.name);
    if (places == nullptr || found == places->end())
      throw Error("{} names an atom '{}' of residue {}, which has no place in the ideal shape",
                  chemistry_version(), atom.name, atom.residue);
    positions.push_back(found->second);
  }
  check_bonds(chain, positions);
  return positions;
}

}  // namespace

void GenerateOptions::validate() const {
  constexpr std::int64_t kLeast = 10, kMost = 10'000'000;
  if (count < kLeast || count > kMost)
    throw UsageError("--count is {}; expected {} to {}", count, kLeast, kMost);
}

std::vector<std::string> random_sequences(const GenerateOptions& options) {
  std::vector<std::string> sequences;
  std::set<std::string> seen;
  for (std::int64_t row = 0; row < options.count; ++row) {
    RowStream stream(options.seed, kSequencePurpose, static_cast<std::uint64_t>(row));
    auto sequence = random_sequence(stream);
    while (!seen.insert(sequence).second) sequence = random_sequence(stream);
    sequences.push_back(std::move(sequence));
  }
  return sequences;
}

GeneratedPeptide generate_peptide(const std::string& sequence) {
  const auto chain = chain_of_sequence(sequence);
  GeneratedPeptide peptide;
  peptide.positions = positions_of(chain, sequence);
  std::vector<double> mass;
  std::vector<int> hydrogens;
  for (const auto& atom : chain.atoms) {
    mass.push_back(atom.mass);
    hydrogens.push_back(atom.hydrogens);
  }
  peptide.targets = shape_targets(peptide.positions, mass, hydrogens);
  peptide.smiles = chain.smiles;
  peptide.graph = graph_of_smiles(chain.smiles);
  return peptide;
}

Dataset generate(const GenerateOptions& options, int threads, const Progress& progress) {
  options.validate();
  require_chemistry();
  const auto sequences = random_sequences(options);
  Dataset dataset;
  dataset.graphs.resize(sequences.size());
  dataset.targets.resize(sequences.size());
  std::mutex mutex;
  std::int64_t done = 0;
  parallel_for(threads, sequences.size(), [&](std::size_t row) {
    auto peptide = generate_peptide(sequences[row]);
    dataset.graphs[row] = std::move(peptide.graph);
    dataset.targets[row] = peptide.targets;
    const std::lock_guard lock(mutex);
    ++done;
    if (progress) progress(done, options.count);
  });
  standardise(dataset, "the generated peptides");
  dataset.split = random_split(options.count, options.seed);
  dataset.about = {{"source", "generated"},
                   {"seed", std::to_string(options.seed)},
                   {"chemistry", chemistry_version()}};
  return dataset;
}

}  // namespace npq::peptides
