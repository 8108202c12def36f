#pragma once
#include <cstddef>

#include "npq/kernels/lanes/lanes.h"

// Matrix products in registers. For files of one instruction set alone, see lanes.h.
namespace npq::kernels {
namespace {

/// Products with square matrices [P, P], P a multiple of kWidth, on vectors of W numbers. A block
/// of MR rows times NR vectors stays in registers while k runs: MR * NR sums, NR numbers of the
/// matrix and one of the rows must fit into 16 registers (AVX2) or 32 (AVX-512).
template <int W, int MR, int NR>
struct VectorProduct {
  using L = Lanes<W>;
  using Floats = typename L::Floats;
  static constexpr int kLanes = W;
  static constexpr int kWidth = W * NR;
  static constexpr int kRows = MR;  // rows are processed in blocks of so many

  /// What a thread needs while it multiplies; here nothing.
  struct Session {
    explicit Session(float* /*scratch*/) {}
  };
  static std::size_t scratch_floats(int /*size*/, int /*most rows*/) { return 0; }

  /// Column panels of kWidth numbers, each contiguous, so that the innermost loop reads straight
  /// on.
  static void pack(const float* w, int size, float* packed) {
    for (int j = 0; j < size; j += kWidth) {
      for (int k = 0; k < size; ++k, packed += kWidth) {
        __builtin_memcpy(packed, w + static_cast<std::size_t>(k) * size + j,
                         kWidth * sizeof(float));
      }
    }
  }

  /// rows [count, size] (stride `ld`) times the packed matrix plus bias; `finish(row, count,
  /// column, sums)` gets the sums of up to MR rows and NR vectors. Rows up to the next multiple of
  /// MR are read.
  template <class Finish>
  static NPQ_INLINE void multiply(Session&, const float* rows, int ld, int count, int size,
                                  const float* packed, const float* bias, const Finish& finish) {
    for (int j = 0; j < size; j += kWidth, packed += static_cast<std::size_t>(kWidth) * size) {
      for (int i = 0; i < count; i += MR) {
        Floats sums[MR][NR];
#pragma GCC unroll 16
        for (int m = 0; m < MR; ++m) {
#pragma GCC unroll 4
          for (int n = 0; n < NR; ++n) sums[m][n] = bias ? L::load(bias + j + n * W) : Floats{};
        }
        const float* a = rows + static_cast<std::size_t>(i) * ld;
        const float* b = packed;
        for (int k = 0; k < size; ++k, b += kWidth) {
          Floats line[NR];
#pragma GCC unroll 4
          for (int n = 0; n < NR; ++n) line[n] = L::load(b + n * W);
#pragma GCC unroll 16
          for (int m = 0; m < MR; ++m) {
            const Floats x = L::all(a[m * ld + k]);
#pragma GCC unroll 4
            for (int n = 0; n < NR; ++n) sums[m][n] += x * line[n];
          }
        }
        finish(i, count - i < MR ? count - i : MR, j, sums);
      }
    }
  }

  /// sum [size, size] += left^T right, for left and right [count, size] with stride `ld`.
  static void add_outer(Session&, const float* left, const float* right, int ld, int count,
                        int size, float* sum) {
    for (int j = 0; j < size; j += kWidth) {
      int i = 0;
      for (; i + MR <= size; i += MR)
        add_outer_block<MR>(left + i, right + j, ld, count, size, sum, i, j);
      add_outer_rest<MR - 1>(left + i, right + j, ld, count, size, sum, i, j);
    }
  }

 private:
  template <int M>
  static NPQ_INLINE void add_outer_rest(const float* a, const float* b, int ld, int count, int size,
                                        float* sum, int i, int j) {
    if constexpr (M > 0) {
      if (size - i == M) return add_outer_block<M>(a, b, ld, count, size, sum, i, j);
      add_outer_rest<M - 1>(a, b, ld, count, size, sum, i, j);
    }
  }

  template <int M>
  static NPQ_INLINE void add_outer_block(const float* a, const float* b, int ld, int count,
                                         int size, float* sum, int i, int j) {
    Floats sums[M][NR];
    float* out = sum + static_cast<std::size_t>(i) * size + j;
#pragma GCC unroll 16
    for (int m = 0; m < M; ++m) {
#pragma GCC unroll 4
      for (int n = 0; n < NR; ++n) sums[m][n] = L::load(out + m * size + n * W);
    }
    for (int k = 0; k < count; ++k, a += ld, b += ld) {
      Floats line[NR];
#pragma GCC unroll 4
      for (int n = 0; n < NR; ++n) line[n] = L::load(b + n * W);
#pragma GCC unroll 16
      for (int m = 0; m < M; ++m) {
        const Floats x = L::all(a[m]);
#pragma GCC unroll 4
        for (int n = 0; n < NR; ++n) sums[m][n] += x * line[n];
      }
    }
#pragma GCC unroll 16
    for (int m = 0; m < M; ++m) {
#pragma GCC unroll 4
      for (int n = 0; n < NR; ++n) L::store(out + m * size + n * W, sums[m][n]);
    }
  }
};

}  // namespace
}  // namespace npq::kernels
