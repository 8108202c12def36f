#include "npq/peptides/residues.h"

#include <algorithm>
#include <cctype>

#include "npq/base/error.h"

namespace npq::peptides {
namespace {

// Letter, percent, helix, strand, coil (phi, psi). How frequent residues are is a rough mix like
// that of antimicrobial peptides, a guess and not measured.
constexpr Residue kResidues[] = {
    {'A', 7.5, 2, -1, -75, 145}, {'C', 6.5, -1, 1, -75, 145}, {'D', 3, 0, -2, -80, 0},
    {'E', 3.5, 2, -1, -75, 145}, {'F', 4.5, 0, 2, -75, 145},  {'G', 8.5, -2, -1, 80, 10},
    {'H', 2, 0, 0, -75, 145},    {'I', 6, 1, 2, -75, 145},    {'K', 10.5, 1, -1, -75, 145},
    {'L', 9.5, 2, 1, -75, 145},  {'M', 1.5, 2, 1, -75, 145},  {'N', 3.5, -1, -1, -80, 0},
    {'P', 5, -3, -2, -65, 145},  {'Q', 3, 1, 0, -75, 145},    {'R', 7, 1, 0, -75, 145},
    {'S', 6, -1, 0, -70, -20},   {'T', 4, -1, 1, -75, 145},   {'V', 6, 0, 2, -75, 145},
    {'W', 2.5, 0, 2, -75, 145},  {'Y', 2.5, -1, 2, -75, 145},
};

// Residue, atom, the three atoms it is placed from, length, angle, torsion. Isoleucine's CD1 hangs
// on the atom that RDKit names CG2.
constexpr SideAtom kSideChains[] = {
    {'C', "SG", "N", "CA", "CB", 1.81, 111, -60},
    {'D', "CG", "N", "CA", "CB", 1.53, 111, -60},
    {'D', "OD1", "CA", "CB", "CG", 1.25, 118, -30},
    {'D', "OD2", "CA", "CB", "CG", 1.25, 118, 150},
    {'E', "CG", "N", "CA", "CB", 1.53, 111, -60},
    {'E', "CD", "CA", "CB", "CG", 1.53, 111, 180},
    {'E', "OE1", "CB", "CG", "CD", 1.25, 118, -30},
    {'E', "OE2", "CB", "CG", "CD", 1.25, 118, 150},
    {'F', "CG", "N", "CA", "CB", 1.51, 114, -60},
    {'F', "CD1", "CA", "CB", "CG", 1.39, 120, 90},
    {'F', "CD2", "CA", "CB", "CG", 1.39, 120, -90},
    {'F', "CE1", "CB", "CG", "CD1", 1.39, 120, 180},
    {'F', "CE2", "CB", "CG", "CD2", 1.39, 120, 180},
    {'F', "CZ", "CG", "CD1", "CE1", 1.39, 120, 0},
    {'H', "CG", "N", "CA", "CB", 1.5, 114, -60},
    {'H', "ND1", "CA", "CB", "CG", 1.36, 126, -70},
    {'H', "CD2", "CA", "CB", "CG", 1.36, 126, 110},
    {'H', "CE1", "CB", "CG", "ND1", 1.36, 108, 180},
    {'H', "NE2", "CB", "CG", "CD2", 1.36, 108, 180},
    {'I', "CG2", "N", "CA", "CB", 1.53, 111, -60},
    {'I', "CG1", "N", "CA", "CB", 1.53, 111, 180},
    {'I', "CD1", "CA", "CB", "CG2", 1.53, 111, 180},
    {'K', "CG", "N", "CA", "CB", 1.53, 111, -60},
    {'K', "CD", "CA", "CB", "CG", 1.53, 111, 180},
    {'K', "CE", "CB", "CG", "CD", 1.53, 111, 180},
    {'K', "NZ", "CG", "CD", "CE", 1.49, 111, 180},
    {'L', "CG", "N", "CA", "CB", 1.53, 111, -60},
    {'L', "CD1", "CA", "CB", "CG", 1.53, 111, 180},
    {'L', "CD2", "CA", "CB", "CG", 1.53, 111, -60},
    {'M', "CG", "N", "CA", "CB", 1.53, 111, -60},
    {'M', "SD", "CA", "CB", "CG", 1.81, 111, 180},
    {'M', "CE", "CB", "CG", "SD", 1.79, 101, 180},
    {'N', "CG", "N", "CA", "CB", 1.53, 111, -60},
    {'N', "OD1", "CA", "CB", "CG", 1.23, 121, -30},
    {'N', "ND2", "CA", "CB", "CG", 1.33, 117, 150},
    {'P', "CG", "N", "CA", "CB", 1.51, 104, 24},
    {'P', "CD", "CA", "CB", "CG", 1.51, 104, -36},
    {'Q', "CG", "N", "CA", "CB", 1.53, 111, -60},
    {'Q', "CD", "CA", "CB", "CG", 1.53, 111, 180},
    {'Q', "OE1", "CB", "CG", "CD", 1.23, 121, -30},
    {'Q', "NE2", "CB", "CG", "CD", 1.33, 117, 150},
    {'R', "CG", "N", "CA", "CB", 1.53, 111, -60},
    {'R', "CD", "CA", "CB", "CG", 1.53, 111, 180},
    {'R', "NE", "CB", "CG", "CD", 1.46, 111, 180},
    {'R', "CZ", "CG", "CD", "NE", 1.33, 124, 180},
    {'R', "NH1", "CD", "NE", "CZ", 1.33, 120, 0},
    {'R', "NH2", "CD", "NE", "CZ", 1.33, 120, 180},
    {'S', "OG", "N", "CA", "CB", 1.42, 111, -60},
    {'T', "OG1", "N", "CA", "CB", 1.42, 111, -60},
    {'T', "CG2", "N", "CA", "CB", 1.53, 111, 180},
    {'V', "CG1", "N", "CA", "CB", 1.53, 111, 180},
    {'V', "CG2", "N", "CA", "CB", 1.53, 111, -60},
    {'W', "CG", "N", "CA", "CB", 1.5, 114, -60},
    {'W', "CD1", "CA", "CB", "CG", 1.39, 126, 90},
    {'W', "CD2", "CA", "CB", "CG", 1.39, 126, -90},
    {'W', "NE1", "CB", "CG", "CD1", 1.39, 108, 180},
    {'W', "CE2", "CB", "CG", "CD2", 1.39, 108, 180},
    {'W', "CE3", "NE1", "CE2", "CD2", 1.39, 120, 180},
    {'W', "CZ2", "CG", "CD2", "CE2", 1.39, 120, 180},
    {'W', "CZ3", "CE2", "CD2", "CE3", 1.39, 120, 0},
    {'W', "CH2", "CD2", "CE2", "CZ2", 1.39, 120, 0},
    {'Y', "CG", "N", "CA", "CB", 1.51, 114, -60},
    {'Y', "CD1", "CA", "CB", "CG", 1.39, 120, 90},
    {'Y', "CD2", "CA", "CB", "CG", 1.39, 120, -90},
    {'Y', "CE1", "CB", "CG", "CD1", 1.39, 120, 180},
    {'Y', "CE2", "CB", "CG", "CD2", 1.39, 120, 180},
    {'Y', "CZ", "CG", "CD1", "CE1", 1.39, 120, 0},
    {'Y', "OH", "CD1", "CE1", "CZ", 1.37, 120, 180},
};

}  // namespace

std::span<const Residue> residues() { return kResidues; }

const Residue& find_residue(char letter) {
  const char upper = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  for (const auto& residue : kResidues)
    if (residue.letter == upper) return residue;
  throw Error("'{}' is not an amino acid; known: ACDEFGHIKLMNPQRSTVWY, lower case for the D form",
              letter);
}

std::span<const SideAtom> side_chain(char letter) {
  const char upper = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  const auto of = [&](const SideAtom& atom) { return atom.residue == upper; };
  const auto first = std::find_if(std::begin(kSideChains), std::end(kSideChains), of);
  const auto last = std::find_if_not(first, std::end(kSideChains), of);
  return {first, last};
}

}  // namespace npq::peptides
