#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace npq::peptides {

inline constexpr int kAtomFeatures = 9, kBondFeatures = 3, kTargets = 11;

/// How many values each feature of an atom has: atomic number, chirality, degree, charge,
/// hydrogens, radical electrons, hybridisation, aromatic, in a ring. Those of OGB from 1.3.6 on,
/// whose chirality has a fifth value for all that is not tetrahedral.
inline constexpr std::array<int, kAtomFeatures> kAtomValues = {119, 5, 12, 12, 10, 6, 6, 2, 2};
/// Of a bond: type, stereo, conjugated.
inline constexpr std::array<int, kBondFeatures> kBondValues = {5, 6, 2};

using Atom = std::array<std::uint8_t, kAtomFeatures>;
using Bond = std::array<std::uint8_t, kBondFeatures>;
using Targets = std::array<double, kTargets>;

struct Edge {
  std::int32_t sender = 0, receiver = 0;
  bool operator==(const Edge&) const = default;
};

/// A molecule as a network sees it: every bond is two edges, there and back.
struct Graph {
  std::vector<Atom> atoms;
  std::vector<Edge> edges;
  std::vector<Bond> bonds;  // one per edge

  std::int64_t nodes() const { return static_cast<std::int64_t>(atoms.size()); }
};

inline constexpr std::int64_t kMostAtoms = 100'000;

/// What is wrong with a graph, in words: a feature that no table row belongs to, an edge to nowhere
/// or from a node to itself (the layers add those), no atoms or too many; empty if nothing is.
std::string problem_of(const Graph& graph);

}  // namespace npq::peptides
