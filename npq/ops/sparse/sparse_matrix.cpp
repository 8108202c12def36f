#include "npq/ops/sparse/sparse_matrix.h"

#include <ATen/ops/empty.h>
#include <fmt/ranges.h>
#include <torch/csrc/autograd/custom_function.h>

#include "npq/base/error.h"
#include "npq/kernels/sparse_product/sparse_product.h"
#include "npq/ops/fused.h"
#include "npq/ops/saved.h"

namespace npq::ops {
namespace {

using SharedRows = SparseMatrix::Shared;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Entries sorted by row, within a row as they came.
SharedRows sorted_by_rows(std::int64_t rows, const std::vector<SparseEntry>& entries,
                          bool transpose) {
  auto sorted = std::make_shared<SparseMatrix::Rows>();
  sorted->rows = rows;
  sorted->begin.assign(static_cast<std::size_t>(rows) + 1, 0);
  sorted->column.resize(entries.size());
  sorted->weight.resize(entries.size());
  const auto row_of = [&](const SparseEntry& entry) {
    return static_cast<std::size_t>(transpose ? entry.column : entry.row);
  };
  for (const auto& entry : entries) ++sorted->begin[row_of(entry) + 1];
  for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r)
    sorted->begin[r + 1] += sorted->begin[r];
  auto next = sorted->begin;
  for (const auto& entry : entries) {
    const auto place = static_cast<std::size_t>(next[row_of(entry)]++);
    sorted->column[place] = static_cast<std::int32_t>(transpose ? entry.row : entry.column);
    sorted->weight[place] = entry.weight;
  }
  return sorted;
}

at::Tensor product(const SparseMatrix::Rows& matrix, const at::Tensor& x) {
  const auto given = x.contiguous();
  const auto out = at::empty({matrix.rows, given.size(1)}, given.options());
  const kernels::SparseRows rows{matrix.rows, matrix.begin.data(), matrix.column.data(),
                                 matrix.weight.data()};
  float_or_double(given, [&]<class T>(T) {
    kernels::sparse_product(rows, given.data_ptr<T>(), given.size(1), out.data_ptr<T>(),
                            kernel_threads());
  });
  return out;
}

class Product : public torch::autograd::Function<Product> {
 public:
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const SharedRows& matrix,
                            const SharedRows& transposed) {
    ctx->saved_data["transposed"] = saved_value(transposed);
    return product(*matrix, x);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& outputs) {
    refuse_second_derivatives("sparse_product");
    const auto matrix = loaded_value<SharedRows>(ctx->saved_data["transposed"]);
    return {product(*matrix, outputs[0]), {}, {}};
  }
};

}  // namespace

SparseMatrix::SparseMatrix(std::int64_t rows, std::int64_t columns,
                           const std::vector<SparseEntry>& entries)
    : forward_(sorted_by_rows(rows, entries, /*transpose=*/false)),
      backward_(sorted_by_rows(columns, entries, /*transpose=*/true)) {}

at::Tensor SparseMatrix::operator*(const at::Tensor& x) const {
  if (x.dim() != 2 || x.size(0) != columns())
    throw Error("a sparse matrix with {} columns cannot multiply [{}]", columns(),
                fmt::join(x.sizes(), ", "));
  return Product::apply(x, forward_, backward_);
}

}  // namespace npq::ops
