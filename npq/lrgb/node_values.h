#pragma once
#include <ATen/core/Tensor.h>

#include "npq/ops/linear.h"
#include "npq/ops/sparse/sparse_matrix.h"

namespace npq::lrgb {

/// The values x [n, D] of all atoms, as a layer reads them. Encoded atoms are sums of a few rows of
/// one table, x = rows * table, so x W = rows * (table W): a product with the 174 rows of the
/// table instead of one with every atom of the batch.
class NodeValues {
 public:
  NodeValues() = default;
  NodeValues(at::Tensor x) : x_(std::move(x)) {}
  NodeValues(ops::SparseMatrix rows, at::Tensor table)
      : rows_(std::move(rows)), table_(std::move(table)) {}

  at::Tensor times(const at::Tensor& weight) const;
  at::Tensor through(const ops::Linear& linear) const;  // x W + b
  const at::Tensor& dense() const;  // x itself, computed when it is first wanted

 private:
  mutable at::Tensor x_;
  ops::SparseMatrix rows_;
  at::Tensor table_;  // undefined behind the first layer
};

}  // namespace npq::lrgb
