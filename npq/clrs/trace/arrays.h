#pragma once
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

// What the algorithms compute with. The element types are those in which a trace is kept, so
// recording is copying.
namespace npq::clrs {

/// A square matrix over ordered pairs of nodes, row-major.
template <class T>
class Matrix {
 public:
  Matrix() = default;
  explicit Matrix(int nodes, T value = {})
      : nodes_(nodes), values_(static_cast<std::size_t>(nodes) * nodes, value) {}

  int nodes() const { return nodes_; }
  T& operator()(int row, int column) { return values_[index(row, column)]; }
  const T& operator()(int row, int column) const { return values_[index(row, column)]; }
  std::vector<T>& values() { return values_; }
  const std::vector<T>& values() const { return values_; }
  bool operator==(const Matrix&) const = default;

 private:
  std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * nodes_ + column;
  }
  int nodes_ = 0;
  std::vector<T> values_;
};

using Scalars = std::vector<double>;
using Mask = std::vector<std::int8_t>;        // 0, 1, or -1: does not count
using Pointers = std::vector<std::uint16_t>;  // node indices
using Classes = std::vector<std::uint8_t>;    // class numbers
using EdgeScalars = Matrix<double>;
using EdgeMask = Matrix<std::int8_t>;
using EdgePointers = Matrix<std::uint16_t>;
using EdgeClasses = Matrix<std::uint8_t>;

/// A class entry with this bit holds -1 instead of 1 at its class: present, but not to be scored.
inline constexpr std::uint8_t kMaskedClass = 0x80;
inline constexpr int kMostNodes = 65535;  // a pointer is two bytes

/// One node marked with 1, all others 0.
struct OneHot {
  int node;
};
inline OneHot one_hot(int node) { return {node}; }

/// One class of a graph-level categorical.
struct Class {
  int number;
};

/// 0, 1, ..., n-1: every node points to itself.
inline Pointers identity(int nodes) {
  Pointers pi(nodes);
  std::iota(pi.begin(), pi.end(), std::uint16_t{0});
  return pi;
}

/// chain(ord): ord[0] points to itself, ord[k] to ord[k-1].
Pointers chain(std::span<const int> order);
/// The chain of nodes that never change places: 0, 0, 1, 2, ..., n-2.
Pointers constant_chain(int nodes);
/// Two strings on one node range: the chain starts again at node `first_length`.
Pointers constant_chain(int first_length, int second_length);
/// i / n for i = 0..n-1.
Scalars positions(int nodes);
Scalars positions(int first_length, int second_length);
/// 1 if A has an edge or i = j.
EdgeMask adjacency(const EdgeScalars& A);

}  // namespace npq::clrs
