#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace npq::clrs {

enum class Stage : std::uint8_t { Input, Hint, Output };
enum class Location : std::uint8_t { Node, Edge, Graph };
enum class Type : std::uint8_t {
  Scalar,               // a number
  Mask,                 // 0 or 1; -1 if the value does not count
  MaskOne,              // exactly one node is 1
  Categorical,          // one of `classes`
  Pointer,              // the index of a node
  ShouldBePermutation,  // a pointer to the predecessor in sorted order, the first node to itself
  PermutationPointer,   // the same as a permutation matrix (made by enforce_permutations)
};
/// How the benchmark stores a value in its files. Values themselves are exact in both.
enum class Number : std::uint8_t { Float64, Int64 };

std::string_view name_of(Stage stage);
std::string_view name_of(Location location);
std::string_view name_of(Type type);

/// One named thing that an algorithm shows: its stage, where it lives, what kind of value it is.
struct Probe {
  std::string name;
  Stage stage;
  Location location;
  Type type;
  int classes = 0;                  // Categorical only
  Number number = Number::Float64;  // dtype in files
  bool constant = false;            // a hint that never changes: kept once, not once per step

  Probe of_classes(int count) const;
  Probe as_int64() const;
  Probe as_float64() const;
  Probe constant_in_time() const;
};

using Spec = std::vector<Probe>;

/// Pointers are int64 in files, everything else float64, unless a spec says otherwise.
Probe input(std::string name, Location location, Type type);
Probe hint(std::string name, Location location, Type type);
Probe output(std::string name, Location location, Type type);

/// Values per step of a probe on n nodes, as the benchmark lays them out: classes are spread to
/// one-hot rows.
std::int64_t elements(const Probe& probe, int nodes);

/// The shape of those values: [], [n], [n,n], with a trailing class axis where there is one.
std::vector<std::int64_t> shape(const Probe& probe, int nodes);

/// Short names for spec tables: input("A", edge, scalar).
namespace spec_words {
inline constexpr auto node = Location::Node;
inline constexpr auto edge = Location::Edge;
inline constexpr auto graph = Location::Graph;
inline constexpr auto scalar = Type::Scalar;
inline constexpr auto mask = Type::Mask;
inline constexpr auto mask_one = Type::MaskOne;
inline constexpr auto categorical = Type::Categorical;
inline constexpr auto pointer = Type::Pointer;
inline constexpr auto should_be_permutation = Type::ShouldBePermutation;
}  // namespace spec_words

}  // namespace npq::clrs
