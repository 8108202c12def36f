// The only file that sees RDKit: its headers take ten seconds to compile.
#include <GraphMol/FileParsers/SequenceParsers.h>
#include <GraphMol/GraphMol.h>
#include <GraphMol/MonomerInfo.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <RDGeneral/RDLog.h>
#include <RDGeneral/versions.h>

#include <memory>

#include "npq/base/error.h"
#include "npq/base/printable.h"
#include "npq/peptides/chemistry.h"

namespace npq::peptides {
namespace {

using MoleculePtr = std::unique_ptr<RDKit::RWMol>;

/// RDKit prints its complaints; ours come as Errors.
void silence() {
  static const bool done = [] {
    boost::logging::disable_logs("rdApp.*");
    return true;
  }();
  static_cast<void>(done);
}

MoleculePtr parse(std::string_view smiles) {
  silence();
  if (smiles.size() > kLongestSmiles)
    throw Error("the SMILES '{}...' has more than {} characters", printable(smiles.substr(0, 80)),
                kLongestSmiles);
  MoleculePtr molecule;
  try {
    molecule.reset(RDKit::SmilesToMol(std::string(smiles)));
  } catch (const std::exception& error) {  // MolSanitizeException and its like
    throw Error("the SMILES '{}' is not a molecule: {}", printable(smiles), error.what());
  }
  if (!molecule) throw Error("the SMILES '{}' cannot be parsed", printable(smiles));
  if (molecule->getNumAtoms() == 0) throw Error("the SMILES '{}' has no atoms", printable(smiles));
  return molecule;
}

int chirality_index(const RDKit::Atom& atom) {
  const int tag = atom.getChiralTag();
  return tag >= 0 && tag <= 3 ? tag : 4;
}

int hybridisation_index(const RDKit::Atom& atom) {
  switch (atom.getHybridization()) {
    case RDKit::Atom::SP:
      return 0;
    case RDKit::Atom::SP2:
      return 1;
    case RDKit::Atom::SP3:
      return 2;
    case RDKit::Atom::SP3D:
      return 3;
    case RDKit::Atom::SP3D2:
      return 4;
    default:
      return 5;
  }
}

/// `value` counted from `first`, or the last index for what is outside.
int index_of(int value, int first, int last) {
  return value >= first && value <= last ? value - first : last - first + 1;
}

Atom atom_features(const RDKit::Atom& atom, const RDKit::RingInfo& rings) {
  const int features[] = {index_of(atom.getAtomicNum(), 1, 118),
                          chirality_index(atom),
                          index_of(static_cast<int>(atom.getTotalDegree()), 0, 10),
                          index_of(atom.getFormalCharge(), -5, 5),
                          index_of(static_cast<int>(atom.getTotalNumHs()), 0, 8),
                          index_of(static_cast<int>(atom.getNumRadicalElectrons()), 0, 4),
                          hybridisation_index(atom),
                          atom.getIsAromatic() ? 1 : 0,
                          rings.numAtomRings(atom.getIdx()) > 0 ? 1 : 0};
  Atom row;
  std::copy(std::begin(features), std::end(features), row.begin());
  return row;
}

std::uint8_t type_index(const RDKit::Bond& bond) {
  switch (bond.getBondType()) {
    case RDKit::Bond::SINGLE:
      return 0;
    case RDKit::Bond::DOUBLE:
      return 1;
    case RDKit::Bond::TRIPLE:
      return 2;
    case RDKit::Bond::AROMATIC:
      return 3;
    default:
      return 4;
  }
}

std::uint8_t stereo_index(const RDKit::Bond& bond) {
  switch (bond.getStereo()) {
    case RDKit::Bond::STEREONONE:
      return 0;
    case RDKit::Bond::STEREOZ:
      return 1;
    case RDKit::Bond::STEREOE:
      return 2;
    case RDKit::Bond::STEREOCIS:
      return 3;
    case RDKit::Bond::STEREOTRANS:
      return 4;
    case RDKit::Bond::STEREOANY:
      return 5;
    default:
      throw Error("bond {} has a kind of stereochemistry that OGB does not know", bond.getIdx());
  }
}

Bond bond_features(const RDKit::Bond& bond) {
  return {type_index(bond), stereo_index(bond),
          static_cast<std::uint8_t>(bond.getIsConjugated() ? 1 : 0)};
}

Edge ends_of(const RDKit::Bond& bond) {
  return {static_cast<std::int32_t>(bond.getBeginAtomIdx()),
          static_cast<std::int32_t>(bond.getEndAtomIdx())};
}

std::string without_blanks(const std::string& text) {
  std::string kept;
  for (const char c : text)
    if (c != ' ') kept += c;
  return kept;
}

Chain::NamedAtom named(const RDKit::Atom& atom) {
  const auto* info = dynamic_cast<const RDKit::AtomPDBResidueInfo*>(atom.getMonomerInfo());
  if (info == nullptr) throw Error("RDKit does not name atom {} of a peptide", atom.getIdx());
  return {info->getResidueNumber(), without_blanks(info->getName()), atom.getMass(),
          static_cast<int>(atom.getTotalNumHs())};
}

}  // namespace

std::string chemistry_version() { return std::string("RDKit ") + RDKit::rdkitVersion; }

void require_chemistry() {}

Graph graph_of_smiles(std::string_view smiles) {
  const auto molecule = parse(smiles);
  Graph graph;
  for (const auto* atom : molecule->atoms())
    graph.atoms.push_back(atom_features(*atom, *molecule->getRingInfo()));
  for (const auto* bond : molecule->bonds()) {
    const auto [a, b] = ends_of(*bond);
    const auto features = bond_features(*bond);
    graph.edges.insert(graph.edges.end(), {{a, b}, {b, a}});
    graph.bonds.insert(graph.bonds.end(), {features, features});
  }
  return graph;
}

AtomWeights weights_of_smiles(std::string_view smiles) {
  AtomWeights weights;
  const auto molecule = parse(smiles);
  for (const auto* atom : molecule->atoms()) {
    weights.mass.push_back(atom->getMass());
    weights.hydrogens.push_back(static_cast<int>(atom->getTotalNumHs()));
  }
  return weights;
}

Chain chain_of_sequence(const std::string& sequence) {
  silence();
  constexpr int kLowerCaseIsD = 1;
  const MoleculePtr molecule(RDKit::SequenceToMol(sequence, /*sanitize=*/true, kLowerCaseIsD));
  if (!molecule)
    throw Error("the sequence '{}' has a letter that is not an amino acid", printable(sequence));
  Chain chain;
  for (const auto* atom : molecule->atoms()) chain.atoms.push_back(named(*atom));
  for (const auto* bond : molecule->bonds()) chain.bonds.push_back(ends_of(*bond));
  RDKit::SmilesWriteParams params;
  params.canonical = false;
  chain.smiles = RDKit::MolToSmiles(*molecule, params);
  std::vector<unsigned> order;
  molecule->getProp(RDKit::common_properties::_smilesAtomOutputOrder, order);
  chain.smiles_order.assign(order.begin(), order.end());
  return chain;
}

}  // namespace npq::peptides
