#pragma once
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

// For files of one instruction set alone. Everything here is in an unnamed namespace, so that each
// such file has its own copy: the linker must never let a copy built for AVX-512 serve another
// file. For the same reason nothing here uses functions of the standard library.
namespace npq::kernels {
namespace {

#define NPQ_INLINE inline __attribute__((always_inline))
#define NPQ_INLINE_LAMBDA __attribute__((always_inline))

/// Where a row begins.
NPQ_INLINE std::size_t at(int row, int length) { return static_cast<std::size_t>(row) * length; }

/// W numbers side by side. Written once with the compiler's vector types: for W = 16 on a machine
/// with registers of 8 the compiler uses pairs, which is how the wide loops are tested everywhere.
template <int W>
struct Lanes {
  typedef float Floats __attribute__((vector_size(4 * W)));
  typedef std::int32_t Ints __attribute__((vector_size(4 * W)));  // also masks: 0 or -1

  static NPQ_INLINE Floats load(const float* p) {
    Floats v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
  }
  static NPQ_INLINE Ints load(const std::int32_t* p) {
    Ints v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
  }
  static NPQ_INLINE void store(float* p, Floats v) { __builtin_memcpy(p, &v, sizeof v); }
  static NPQ_INLINE void store(std::int32_t* p, Ints v) { __builtin_memcpy(p, &v, sizeof v); }
  static NPQ_INLINE Floats all(float x) { return x - Floats{}; }
  static NPQ_INLINE Ints all(std::int32_t x) { return x - Ints{}; }

  static NPQ_INLINE Floats select(Ints mask, Floats yes, Floats no) { return mask ? yes : no; }
  static NPQ_INLINE Ints select(Ints mask, Ints yes, Ints no) { return mask ? yes : no; }

  /// NaN differs from itself.
  static NPQ_INLINE Ints is_nan(Floats x) { return x != x; }  // NOLINT(misc-redundant-expression)

  /// max(0, x), and NaN for NaN.
  static NPQ_INLINE Floats relu(Floats x) {
#if defined(__AVX512F__)
    if constexpr (W == 16)
      return (Floats)_mm512_maskz_max_ps(0xffff, _mm512_setzero_ps(), (__m512)x);
#endif
#if defined(__AVX2__)
    if constexpr (W == 8) return (Floats)_mm256_max_ps(_mm256_setzero_ps(), (__m256)x);
#endif
    return x < Floats{} ? Floats{} : x;
  }
  /// a > b ? a : b
  static NPQ_INLINE Floats max(Floats a, Floats b) {
#if defined(__AVX512F__)
    if constexpr (W == 16) return (Floats)_mm512_maskz_max_ps(0xffff, (__m512)a, (__m512)b);
#endif
#if defined(__AVX2__)
    if constexpr (W == 8) return (Floats)_mm256_max_ps((__m256)a, (__m256)b);
#endif
    return a > b ? a : b;
  }
  /// The sum of all lanes, always in the same order: halves onto halves.
  static NPQ_INLINE float sum(Floats v) {
    if constexpr (W > 4) {
      typename Lanes<W / 2>::Floats halves[2];
      __builtin_memcpy(halves, &v, sizeof v);
      return Lanes<W / 2>::sum(halves[0] + halves[1]);
    } else {
      float x[W];
      store(x, v);
      return (x[0] + x[2]) + (x[1] + x[3]);
    }
  }
  static NPQ_INLINE float largest(Floats v) {
    float x[W];
    store(x, v);
    float best = x[0];
    for (int i = 1; i < W; ++i) best = x[i] > best ? x[i] : best;
    return best;
  }
};

/// a[0..n) += x * b[0..n), n a multiple of W.
template <int W>
NPQ_INLINE void add_scaled(float* a, float x, const float* b, int n) {
  using L = Lanes<W>;
  const auto scale = L::all(x);
  for (int i = 0; i < n; i += W) L::store(a + i, L::load(a + i) + scale * L::load(b + i));
}

template <int W, int V, class Scale, class Row>
NPQ_INLINE void add_all_scaled_block(float* a, int at, int count, const Scale& scale,
                                     const Row& row) {
  using L = Lanes<W>;
  typename L::Floats sums[V];
#pragma GCC unroll 8
  for (int v = 0; v < V; ++v) sums[v] = L::load(a + at + v * W);
  for (int i = 0; i < count; ++i) {
    const auto factor = L::all(scale(i));
    const float* b = row(i) + at;
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) sums[v] += factor * L::load(b + v * W);
  }
#pragma GCC unroll 8
  for (int v = 0; v < V; ++v) L::store(a + at + v * W, sums[v]);
}

/// a[0..n) += scale(0) * row(0)[0..n) + scale(1) * row(1)[0..n) + ..., in this order, n a multiple
/// of W. The sums stay in registers meanwhile.
template <int W, class Scale, class Row>
NPQ_INLINE void add_all_scaled(float* a, int count, const Scale& scale, const Row& row, int n) {
  int at = 0;
  for (; at + 8 * W <= n; at += 8 * W) add_all_scaled_block<W, 8>(a, at, count, scale, row);
  for (; at + 2 * W <= n; at += 2 * W) add_all_scaled_block<W, 2>(a, at, count, scale, row);
  if (at < n) add_all_scaled_block<W, 1>(a, at, count, scale, row);
}

template <int W>
NPQ_INLINE void add(float* a, const float* b, int n) {
  using L = Lanes<W>;
  for (int i = 0; i < n; i += W) L::store(a + i, L::load(a + i) + L::load(b + i));
}

template <int W>
NPQ_INLINE void fill(float* a, float x, int n) {
  for (int i = 0; i < n; i += W) Lanes<W>::store(a + i, Lanes<W>::all(x));
}

template <int W>
NPQ_INLINE float dot(const float* a, const float* b, int n) {
  using L = Lanes<W>;
  typename L::Floats sum{};
  for (int i = 0; i < n; i += W) sum += L::load(a + i) * L::load(b + i);
  return L::sum(sum);
}

}  // namespace
}  // namespace npq::kernels
