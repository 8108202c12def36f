#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "npq/peptides/targets.h"

// The generator's idealised shape of a peptide: ideal bond lengths and angles, helices and strands
// where the sequence favours them. A fixed function of the sequence that needs all of it; no
// physical conformation: no energy, no sterics, one rotamer per residue.
namespace npq::peptides {

/// 'H', 'E' or 'C' per residue:
///   H  if the helix scores of residues i-3..i+3 add up to at least 4 and to no less than
///   E  the strand scores of i-2..i+2; E if these are at least 3;  C otherwise
std::string secondary_structure(std::string_view sequence);

/// The point d with |cd| = length, angle bcd and torsion abcd (degrees, IUPAC's sign).
Point place(const Point& a, const Point& b, const Point& c, double length, double angle,
            double torsion);

/// Where the atoms of a residue lie, by name, in Angstrom.
using Places = std::map<std::string, Point, std::less<>>;

/// Of the whole chain: element r belongs to residue r + 1.
std::vector<Places> ideal_shape(std::string_view sequence);

}  // namespace npq::peptides
