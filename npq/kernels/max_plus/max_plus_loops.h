#pragma once
#include <cstddef>

#include "npq/kernels/lanes/lanes.h"
#include "npq/kernels/max_plus/max_plus.h"

// For files of one instruction set alone, see lanes.h.
namespace npq::kernels {
namespace {

template <int W>
struct MaxPlusLoop {
  using L = Lanes<W>;
  using Floats = typename L::Floats;
  using Ints = typename L::Ints;

  /// J rows of the product and W columns stay in registers while i runs.
  template <int J>
  static NPQ_INLINE void block(const MaxPlusTile& t, int j, int k) {
    const float* left = t.left + j;
    const float* right = t.right + k;
    Floats best[J];
    Ints who[J];
#pragma GCC unroll 4
    for (int m = 0; m < J; ++m) best[m] = L::all(left[m]) + L::load(right), who[m] = Ints{};
    for (int i = 1; i < t.nodes; ++i) {
      left += t.nodes, right += t.padded;
      const Floats row = L::load(right);
      const Ints me = L::all(static_cast<std::int32_t>(i));
#pragma GCC unroll 4
      for (int m = 0; m < J; ++m) {
        const Floats sum = L::all(left[m]) + row;
        const Ints take = (sum > best[m]) | L::is_nan(sum);
        best[m] = L::select(take, sum, best[m]);
        who[m] = L::select(take, me, who[m]);
      }
    }
#pragma GCC unroll 4
    for (int m = 0; m < J; ++m) {
      L::store(t.out + static_cast<std::size_t>(m) * t.padded + k, best[m]);
      L::store(t.arg + static_cast<std::size_t>(m) * t.padded + k, who[m]);
    }
  }

  static void rows(const MaxPlusTile& t, int j, int count) {
    for (int k = 0; k < t.padded; k += W) {
      if (count == 4) {
        block<4>(t, j, k);
      } else if (count == 3) {
        block<3>(t, j, k);
      } else if (count == 2) {
        block<2>(t, j, k);
      } else {
        block<1>(t, j, k);
      }
    }
  }
};

template <int W>
constexpr MaxPlusLoops max_plus_loops_of() {
  return {.width = W, .rows = MaxPlusLoop<W>::rows};
}

}  // namespace
}  // namespace npq::kernels
