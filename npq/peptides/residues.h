#pragma once
#include <span>
#include <string_view>

// The tables of the generator: what is peculiar to each of the twenty amino acids.
namespace npq::peptides {

struct Residue {
  char letter;
  double percent;             // how often it is drawn
  int helix, strand;          // what it adds to the scores of its neighbourhood
  double coil_phi, coil_psi;  // its backbone angles outside helices and strands, degrees
};
std::span<const Residue> residues();
/// By letter, in either case; any other is an Error.
const Residue& find_residue(char letter);

/// An atom of a side chain beyond CB: placed from three others by length (Angstrom), angle and
/// torsion (degrees).
struct SideAtom {
  char residue;
  std::string_view atom, a, b, c;
  double length, angle, torsion;
};
/// Of one residue, in the order in which they can be placed.
std::span<const SideAtom> side_chain(char letter);

}  // namespace npq::peptides
