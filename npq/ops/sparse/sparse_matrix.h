#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace npq::ops {

/// One number of a sparse matrix.
struct SparseEntry {
  std::int64_t row = 0, column = 0;
  double weight = 1;
};

/// A constant matrix that is mostly zeros. Everything that moves numbers between the atoms, edges
/// and graphs of a batch is one of these times a dense matrix: looking up embeddings, taking the
/// senders of all edges, adding up what reaches a receiver, means over graphs, padding. Its cost is
/// its number of entries times the width; its gradient is the transposed matrix times the gradient.
class SparseMatrix {
 public:
  SparseMatrix() = default;
  SparseMatrix(std::int64_t rows, std::int64_t columns, const std::vector<SparseEntry>& entries);

  bool defined() const { return forward_ != nullptr; }
  std::int64_t rows() const { return forward_->rows; }
  std::int64_t columns() const { return backward_->rows; }
  std::int64_t entries() const { return static_cast<std::int64_t>(forward_->column.size()); }
  SparseMatrix transposed() const { return {backward_, forward_}; }

  /// The matrix times x [columns, W]: [rows, W], float32 or double, CPU. Every row adds up its
  /// entries in the order in which they were given, so the bits do not depend on the number of
  /// threads. Has no second derivatives.
  at::Tensor operator*(const at::Tensor& x) const;

  /// By rows: the entries of row r are begin[r] to begin[r + 1].
  struct Rows {
    std::int64_t rows = 0;
    std::vector<std::int64_t> begin;
    std::vector<std::int32_t> column;
    std::vector<double> weight;
  };
  using Shared = std::shared_ptr<const Rows>;

 private:
  SparseMatrix(Shared forward, Shared backward)
      : forward_(std::move(forward)), backward_(std::move(backward)) {}

  Shared forward_, backward_;  // the matrix and its transpose
};

}  // namespace npq::ops
