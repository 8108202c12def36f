#pragma once
#include <cstdint>

// Between max_plus.cpp and the loops of one instruction set. Plain data only.
namespace npq::kernels {

/// One feature of one graph. P is N rounded up to the loops' width.
struct MaxPlusTile {
  int nodes, padded;
  const float* left;   // [N, N]
  const float* right;  // [N, P]
  float* out;          // [4, P]: rows j .. j + 3 of the product
  std::int32_t* arg;   // [4, P]
};

struct MaxPlusLoops {
  int width;
  /// Rows j .. j + count, count at most 4.
  void (*rows)(const MaxPlusTile& tile, int j, int count);
};

const MaxPlusLoops& max_plus_loops_avx2();
const MaxPlusLoops& max_plus_loops_avx512();

}  // namespace npq::kernels
