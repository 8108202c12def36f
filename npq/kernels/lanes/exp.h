#pragma once
#include "npq/kernels/lanes/lanes.h"

// For files of one instruction set alone, see lanes.h.
namespace npq::kernels {
namespace {

/// e^x within 2 units in the last place, exactly 0 below -87.3, NaN for NaN. With x = n ln 2 + r:
/// 2^n times the series of e^r, |r| <= ln(2)/2, up to r^7.
template <int W>
NPQ_INLINE typename Lanes<W>::Floats exp(typename Lanes<W>::Floats x) {
  using L = Lanes<W>;
  using Floats = typename L::Floats;
  using Ints = typename L::Ints;
  const Floats lowest = L::all(-87.3f), highest = L::all(88.0f);
  const Floats safe = L::select(x > lowest, L::select(x < highest, x, highest), lowest);
  const Floats rounder = L::all(12582912.0f);  // 1.5 * 2^23: adding it rounds to a whole number
  const Floats n = (safe * L::all(1.44269504f) + rounder) - rounder;
  const Floats r = (safe - n * L::all(0.693359375f)) - n * L::all(-2.12194440e-4f);
  Floats sum = L::all(1.0f / 5040);
  sum = sum * r + L::all(1.0f / 720);
  sum = sum * r + L::all(1.0f / 120);
  sum = sum * r + L::all(1.0f / 24);
  sum = sum * r + L::all(1.0f / 6);
  sum = sum * r + L::all(0.5f);
  sum = sum * r + L::all(1.0f);
  sum = sum * r + L::all(1.0f);
  const Ints power = (__builtin_convertvector(n, Ints) + 127) << 23;
  const Floats result = L::select(x > lowest, sum * (Floats)power, Floats{});
  return L::select(L::is_nan(x), x, result);
}

/// x[0..n) -> e^(x - top), and their sum. n is a multiple of W; padding of -inf becomes 0.
template <int W>
NPQ_INLINE float exponentials(float* x, int n, float top) {
  using L = Lanes<W>;
  typename L::Floats sum{};
  for (int i = 0; i < n; i += W) {
    const auto e = exp<W>(L::load(x + i) - L::all(top));
    L::store(x + i, e);
    sum += e;
  }
  return L::sum(sum);
}

template <int W>
NPQ_INLINE float largest(const float* x, int n) {
  using L = Lanes<W>;
  auto top = L::load(x);
  for (int i = W; i < n; i += W) top = L::max(L::load(x + i), top);
  return L::largest(top);
}

}  // namespace
}  // namespace npq::kernels
