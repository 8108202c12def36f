#pragma once
#include <cstdint>

// A constant matrix that is mostly zeros, times a dense one.
namespace npq::kernels {

/// By rows: the entries of row r are begin[r] to begin[r + 1].
struct SparseRows {
  std::int64_t rows = 0;
  const std::int64_t* begin;   // [rows + 1]
  const std::int32_t* column;  // [entries]
  const double* weight;        // [entries]
};

///   out[r] = sum_k weight[k] x[column[k]]    over the entries k of row r, in their order
/// x [columns, width], out [rows, width]; contiguous, without overlap. The gradient is the product
/// with the transposed matrix. Bound by memory: the same code at every level. The same bits for any
/// number of threads.
template <class Number>
void sparse_product(const SparseRows& matrix, const Number* x, std::int64_t width, Number* out,
                    int threads);

}  // namespace npq::kernels
