#include "npq/lrgb/sparse_matrix.h"

#include <ATen/ops/empty.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <utility>

#include "npq/base/error.h"
#include "npq/kernels/jobs.h"
#include "npq/ops/fused.h"

namespace npq::lrgb {
namespace {

using Rows = SparseMatrix::Rows;
using Shared = SparseMatrix::Shared;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Entries sorted by row, within a row as they came.
Shared sorted_by_rows(std::int64_t rows, const std::vector<SparseEntry>& entries, bool transpose) {
  auto sorted = std::make_shared<Rows>();
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

template <class Number>
void add_row(const Rows& matrix, std::int64_t row, const Number* x, std::int64_t width,
             Number* out) {
  std::fill_n(out, width, Number{0});
  for (auto k = matrix.begin[row]; k < matrix.begin[row + 1]; ++k) {
    const auto weight = static_cast<Number>(matrix.weight[k]);
    const Number* from = x + matrix.column[k] * width;
    for (std::int64_t w = 0; w < width; ++w) out[w] += weight * from[w];
  }
}

template <class Number>
void multiply(const Rows& matrix, const at::Tensor& x, const at::Tensor& out) {
  constexpr std::int64_t kRowsPerJob = 64;
  const auto* numbers = x.data_ptr<Number>();
  auto* results = out.data_ptr<Number>();
  const auto width = x.size(1);
  // A table of few rows with very many entries each (the gradient of an embedding) is divided
  // finer.
  const auto per_job = matrix.rows < 16 * kRowsPerJob ? 1 : kRowsPerJob;
  const auto jobs = (matrix.rows + per_job - 1) / per_job;
  kernels::run_jobs(ops::kernel_threads(), static_cast<int>(jobs), [&](int job) {
    const auto last = std::min(matrix.rows, (job + 1) * per_job);
    for (auto row = job * per_job; row < last; ++row)
      add_row(matrix, row, numbers, width, results + row * width);
  });
}

at::Tensor product(const Rows& matrix, const at::Tensor& x) {
  const auto given = x.contiguous();
  const auto out = at::empty({matrix.rows, given.size(1)}, given.options());
  if (given.scalar_type() == at::kDouble) {
    multiply<double>(matrix, given, out);
  } else {
    NPQ_ASSERT(given.scalar_type() == at::kFloat);
    multiply<float>(matrix, given, out);
  }
  return out;
}

class Product : public torch::autograd::Function<Product> {
 public:
  /// The matrices travel as addresses: libtorch's contexts hold no shared pointers of ours. The
  /// capsules in saved_data keep them alive.
  struct Kept : torch::CustomClassHolder {
    Shared matrix;
  };

  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const Shared& matrix,
                            const Shared& transposed) {
    auto kept = c10::make_intrusive<Kept>();
    kept->matrix = transposed;
    ctx->saved_data["transposed"] = c10::IValue::make_capsule(std::move(kept));
    return product(*matrix, x);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& outputs) {
    ops::refuse_second_derivatives("sparse_product");
    const auto capsule = ctx->saved_data["transposed"].toCapsule();
    const auto& matrix = *static_cast<const Kept&>(*capsule).matrix;
    return {product(matrix, outputs[0]), {}, {}};
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

}  // namespace npq::lrgb
