#pragma once
#include "npq/kernels/adam/adam.h"
#include "npq/kernels/lanes/lanes.h"

// For files of one instruction set alone, see lanes.h.
namespace npq::kernels {
namespace {

template <int W>
struct AdamLoop {
  using L = Lanes<W>;
  using Floats = typename L::Floats;

  static NPQ_INLINE Floats root(Floats x) {
#if defined(__AVX512F__)
    if constexpr (W == 16) return (Floats)_mm512_maskz_sqrt_ps(0xffff, (__m512)x);
#endif
#if defined(__AVX2__)
    if constexpr (W == 8) return (Floats)_mm256_sqrt_ps((__m256)x);
#endif
    for (int i = 0; i < W; ++i) x[i] = __builtin_sqrtf(x[i]);
    return x;
  }

  /// W numbers; the tail of a parameter comes in copies.
  static NPQ_INLINE void step(const AdamStep& s, float* value, const float* gradient, float* m,
                              float* v) {
    const Floats g = gradient ? L::all(s.gradient_scale) * L::load(gradient) : Floats{};
    const Floats first = L::all(s.b1) * L::load(m) + L::all(s.m_share) * g;
    const Floats second = L::all(s.b2) * L::load(v) + L::all(s.v_share) * (g * g);
    L::store(m, first);
    L::store(v, second);
    const Floats bottom = root(L::all(s.v_scale) * second) + L::all(s.eps);
    L::store(value, L::load(value) - L::all(s.rate * s.m_scale) * first / bottom);
  }

  static void update(const AdamSpan& span, const AdamStep& s) {
    std::int64_t i = 0;
    for (; i + W <= span.size; i += W)
      step(s, span.value + i, span.gradient ? span.gradient + i : nullptr, span.m + i, span.v + i);
    const std::int64_t rest = span.size - i;
    if (rest == 0) return;
    float value[W] = {}, gradient[W] = {}, m[W] = {}, v[W] = {};
    for (int k = 0; k < rest; ++k) {
      value[k] = span.value[i + k], m[k] = span.m[i + k], v[k] = span.v[i + k];
      if (span.gradient) gradient[k] = span.gradient[i + k];
    }
    step(s, value, gradient, m, v);
    for (int k = 0; k < rest; ++k)
      span.value[i + k] = value[k], span.m[i + k] = m[k], span.v[i + k] = v[k];
  }

  static double squares(const float* gradient, std::int64_t size) {
    // In double, lane by lane: as good as exact, and quick enough beside the gradients themselves.
    double sums[W] = {};
    std::int64_t i = 0;
    for (; i + W <= size; i += W) {
      for (int k = 0; k < W; ++k)
        sums[k] += static_cast<double>(gradient[i + k]) * static_cast<double>(gradient[i + k]);
    }
    for (; i < size; ++i)
      sums[0] += static_cast<double>(gradient[i]) * static_cast<double>(gradient[i]);
    double sum = 0;
    for (int k = 0; k < W; ++k) sum += sums[k];
    return sum;
  }
};

template <int W>
constexpr AdamLoops adam_loops_of() {
  return {.update = AdamLoop<W>::update, .squares = AdamLoop<W>::squares};
}

}  // namespace
}  // namespace npq::kernels
