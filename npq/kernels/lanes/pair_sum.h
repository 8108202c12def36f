#pragma once
#include <cstddef>

#include "npq/kernels/lanes/lanes.h"

// For files of one instruction set alone, see lanes.h.
namespace npq::kernels {
namespace {

/// Numbers h .. h + V W of base + sum_k values[k] c[k] + dense: what a pair of nodes contributes. c
/// has rows of P numbers; dense may be null.
template <int W, int V>
NPQ_INLINE void pair_sums(const float* base, const float* values, int channels, const float* c,
                          int P, const float* dense, int h, typename Lanes<W>::Floats (&sums)[V]) {
  using L = Lanes<W>;
  c += h;
#pragma GCC unroll 4
  for (int v = 0; v < V; ++v) sums[v] = L::load(base + h + v * W);
  for (int k = 0; k < channels; ++k, c += P) {
    const auto value = L::all(values[k]);
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) sums[v] += value * L::load(c + v * W);
  }
  if (!dense) return;
#pragma GCC unroll 4
  for (int v = 0; v < V; ++v) sums[v] += L::load(dense + h + v * W);
}

template <int W>
NPQ_INLINE typename Lanes<W>::Floats pair_sum(const float* base, const float* values, int channels,
                                              const float* c, int P, const float* dense, int h) {
  typename Lanes<W>::Floats sums[1];
  pair_sums<W, 1>(base, values, channels, c, P, dense, h, sums);
  return sums[0];
}

}  // namespace
}  // namespace npq::kernels
