#include "npq/kernels/sparse_product/sparse_product.h"

#include <algorithm>

#include "npq/kernels/calls.h"
#include "npq/kernels/jobs.h"

namespace npq::kernels {
namespace {

template <class Number>
void add_row(const SparseRows& matrix, std::int64_t row, const Number* x, std::int64_t width,
             Number* out) {
  std::fill_n(out, width, Number{0});
  for (auto k = matrix.begin[row]; k < matrix.begin[row + 1]; ++k) {
    const auto weight = static_cast<Number>(matrix.weight[k]);
    const Number* from = x + matrix.column[k] * width;
    for (std::int64_t w = 0; w < width; ++w) out[w] += weight * from[w];
  }
}

}  // namespace

template <class Number>
void sparse_product(const SparseRows& matrix, const Number* x, std::int64_t width, Number* out,
                    int threads) {
  count_call(Kernel::SparseProduct);
  constexpr std::int64_t kRowsPerJob = 64;
  // A table of few rows with very many entries each (the gradient of an embedding) is divided
  // finer.
  const auto per_job = matrix.rows < 16 * kRowsPerJob ? 1 : kRowsPerJob;
  const auto jobs = (matrix.rows + per_job - 1) / per_job;
  run_jobs(threads, static_cast<int>(jobs), [&](int job) {
    const auto last = std::min(matrix.rows, (job + 1) * per_job);
    for (auto row = job * per_job; row < last; ++row)
      add_row(matrix, row, x, width, out + row * width);
  });
}

template void sparse_product(const SparseRows&, const float*, std::int64_t, float*, int);
template void sparse_product(const SparseRows&, const double*, std::int64_t, double*, int);

}  // namespace npq::kernels
