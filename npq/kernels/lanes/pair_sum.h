#pragma once
#include <cstddef>

#include "npq/kernels/lanes/lanes.h"

// For files of one instruction set alone, see lanes.h.
namespace npq::kernels {
namespace {

/// Numbers h .. h + W of base + sum_k values[k] c[k] + dense: what a pair of nodes contributes. c
/// has rows of P numbers; dense may be null.
template <int W>
NPQ_INLINE typename Lanes<W>::Floats pair_sum(const float* base, const float* values, int channels,
                                              const float* c, int P, const float* dense, int h) {
  using L = Lanes<W>;
  auto sum = L::load(base + h);
  c += h;
  for (int k = 0; k < channels; ++k, c += P) sum += L::all(values[k]) * L::load(c);
  if (dense) sum += L::load(dense + h);
  return sum;
}

}  // namespace
}  // namespace npq::kernels
