#pragma once
#include <array>
#include <span>
#include <string_view>

#include "npq/peptides/graph.h"

namespace npq::peptides {

/// The eleven targets, in their order.
inline constexpr std::array<std::string_view, kTargets> kTargetNames = {
    "Inertia_mass_a",    "Inertia_mass_b",    "Inertia_mass_c", "Inertia_valence_a",
    "Inertia_valence_b", "Inertia_valence_c", "length_a",       "length_b",
    "length_c",          "Spherocity",        "Plane_best_fit"};

using Point = std::array<double, 3>;

/// The shape of one conformation of the heavy atoms, positions in Angstrom; p = position / 10.
///   I(w) = sum w_i (|q_i|^2 E - q_i q_i^T), q_i = p_i - sum w p / sum w
///   Inertia_mass     eigenvalues of I(mass / mass of carbon + 1e-6), descending
///   Inertia_valence  eigenvalues of I(hydrogens + 1e-6), descending
///   length           extent along the axes of the covariance, by descending variance
///   Spherocity       3 l_3 / (l_1 + l_2 + l_3), l: the covariance's eigenvalues
///   Plane_best_fit   mean distance to the plane of the first two axes, in Angstrom
/// At least two atoms.
Targets shape_targets(std::span<const Point> positions, std::span<const double> mass,
                      std::span<const int> hydrogens);

/// Of a symmetric matrix, by descending value; row k of `vectors` belongs to values[k].
struct Eigen3 {
  std::array<double, 3> values;
  std::array<Point, 3> vectors;
};
Eigen3 eigen_of(std::array<Point, 3> matrix);

}  // namespace npq::peptides
