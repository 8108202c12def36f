#include "npq/peptides/ideal_shape.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>

#include "npq/base/error.h"
#include "npq/peptides/residues.h"

namespace npq::peptides {
namespace {

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Point unit(const Point& a) {
  const double length = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  return {a[0] / length, a[1] / length, a[2] / length};
}

struct Angles {
  double phi, psi, sign;  // sign: -1 turns the residue into its mirror image
};

Angles angles_of(char letter, char state) {
  const auto& residue = find_residue(letter);
  const bool mirrored =
      std::islower(static_cast<unsigned char>(letter)) != 0 && residue.letter != 'G';
  Angles angles{residue.coil_phi, residue.coil_psi, mirrored ? -1.0 : 1.0};
  if (state == 'H') angles = {-60, -45, angles.sign};
  if (state == 'E') angles = {-120, 130, angles.sign};
  if (residue.letter == 'P') angles.phi = -65;
  return {angles.sign * angles.phi, angles.sign * angles.psi, angles.sign};
}

Places first_backbone() {
  const Point ca = {1.46, 0, 0};
  const double angle = radians(111);
  return {{"N", {0, 0, 0}},
          {"CA", ca},
          {"C", {ca[0] - 1.525 * std::cos(angle), 1.525 * std::sin(angle), 0}}};
}

Places next_backbone(const Places& before, double psi_before, double phi) {
  const auto& N = before.at("N");
  const auto& CA = before.at("CA");
  const auto& C = before.at("C");
  Places places;
  const auto n = places["N"] = place(N, CA, C, 1.33, 117, psi_before);
  const auto ca = places["CA"] = place(CA, C, n, 1.46, 122, 180);
  places["C"] = place(C, n, ca, 1.525, 111, phi);
  return places;
}

void add_side_chain(Places& places, char letter, const Angles& angles) {
  const auto& residue = find_residue(letter);
  if (residue.letter != 'G')
    places["CB"] = place(places.at("C"), places.at("N"), places.at("CA"), 1.53,
                         residue.letter == 'P' ? 103 : 110.5, angles.sign * -122);
  for (const auto& atom : side_chain(letter))
    places[std::string(atom.atom)] =
        place(places.find(atom.a)->second, places.find(atom.b)->second, places.find(atom.c)->second,
              atom.length, atom.angle, angles.sign * atom.torsion);
}

}  // namespace

std::string secondary_structure(std::string_view sequence) {
  const int length = static_cast<int>(sequence.size());
  const auto sum = [&](int i, int reach, int Residue::*score) {
    int total = 0;
    for (int j = std::max(0, i - reach); j <= std::min(length - 1, i + reach); ++j)
      total += find_residue(sequence[static_cast<std::size_t>(j)]).*score;
    return total;
  };
  std::string states;
  for (int i = 0; i < length; ++i) {
    const int helix = sum(i, 3, &Residue::helix), strand = sum(i, 2, &Residue::strand);
    states += helix >= 4 && helix >= strand ? 'H' : strand >= 3 ? 'E' : 'C';
  }
  return states;
}

Point place(const Point& a, const Point& b, const Point& c, double length, double angle,
            double torsion) {
  const auto u = unit(minus(c, b));
  const auto n = unit(cross(minus(b, a), u));
  const auto m = cross(n, u);
  const double along = -length * std::cos(radians(angle)), away = length * std::sin(radians(angle)),
               x = away * std::cos(radians(torsion)), y = away * std::sin(radians(torsion));
  Point d;
  for (int k = 0; k < 3; ++k) d[k] = c[k] + along * u[k] + x * m[k] + y * n[k];
  return d;
}

std::vector<Places> ideal_shape(std::string_view sequence) {
  NPQ_ASSERT(!sequence.empty());
  const auto states = secondary_structure(sequence);
  std::vector<Places> all;
  double psi_before = 0;
  for (std::size_t r = 0; r < sequence.size(); ++r) {
    const auto angles = angles_of(sequence[r], states[r]);
    auto places = r == 0 ? first_backbone() : next_backbone(all.back(), psi_before, angles.phi);
    const auto behind = [&](double length, double angle, double torsion) {
      return place(places.at("N"), places.at("CA"), places.at("C"), length, angle, torsion);
    };
    places["O"] = behind(1.23, 120.5, angles.psi + 180);
    add_side_chain(places, sequence[r], angles);
    if (r + 1 == sequence.size()) places["OXT"] = behind(1.34, 114, angles.psi);
    psi_before = angles.psi;
    all.push_back(std::move(places));
  }
  return all;
}

}  // namespace npq::peptides
