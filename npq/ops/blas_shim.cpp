// libtorch calls sgemm_ of whatever libblas it finds: the reference BLAS, or an OpenBLAS that does
// not know the CPU and falls back to SSE. A program that defines sgemm_ itself gets every float32
// product of libtorch by the rules of dynamic linking; oneDNN, which libtorch links anyway,
// computes them. To be linked as objects: from a static archive a linker would drop it.
#include <dnnl.h>
#include <omp.h>

#include <algorithm>
#include <atomic>

#include "npq/ops/blas.h"
#include "npq/ops/threads.h"

namespace {

std::atomic<std::int64_t> calls{0};

/// Row-major C [rows, columns] = alpha op(A) op(B) + beta C, rows [first, last) only.
struct Product {
  char trans_a, trans_b;
  dnnl_dim_t columns, depth;
  float alpha, beta;
  const float *a, *b;
  float* c;
  dnnl_dim_t lda, ldb, ldc;

  void rows(dnnl_dim_t first, dnnl_dim_t last) const {
    const bool transposed = trans_a != 'N' && trans_a != 'n';
    dnnl_sgemm(trans_a, trans_b, last - first, columns, depth, alpha,
               a + (transposed ? first : first * lda), lda, b, ldb, beta, c + first * ldc, ldc);
  }
};

/// Pieces of rows that depend on the sizes alone, each multiplied by one thread: the same bits for
/// any number of threads.
dnnl_dim_t rows_per_piece(dnnl_dim_t rows) {
  constexpr dnnl_dim_t kPieces = 16, kLeast = 64;
  return std::max(kLeast, ((rows + kPieces - 1) / kPieces + 15) / 16 * 16);
}

}  // namespace

namespace npq::ops {

std::int64_t blas_calls() { return calls.load(std::memory_order_relaxed); }

}  // namespace npq::ops

/// Column-major C = A B is row-major C' = B' A'.
extern "C" void sgemm_(const char* trans_a, const char* trans_b, const int* m, const int* n,
                       const int* k, const float* alpha, const float* a, const int* lda,
                       const float* b, const int* ldb, const float* beta, float* c,
                       const int* ldc) {
  calls.fetch_add(1, std::memory_order_relaxed);
  const Product product = {*trans_b, *trans_a, *m, *k, *alpha, *beta, b, a, c, *ldb, *lda, *ldc};
  const dnnl_dim_t rows = *n, piece = rows_per_piece(rows);
  if (omp_in_parallel()) return product.rows(0, rows);
  if (const int threads = npq::ops::kernel_threads(); threads > 1 && rows > piece) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (dnnl_dim_t first = 0; first < rows; first += piece)
      product.rows(first, std::min(rows, first + piece));
    return;
  }
  const int others = omp_get_max_threads();
  omp_set_num_threads(1);  // oneDNN would use all of them, and round differently
  for (dnnl_dim_t first = 0; first < rows; first += piece)
    product.rows(first, std::min(rows, first + piece));
  omp_set_num_threads(others);
}
