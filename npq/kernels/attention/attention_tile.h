#pragma once
#include <cstddef>
#include <cstdint>

// Between attention.cpp and the loops of one instruction set. Plain data only.
namespace npq::kernels {

/// What nodes [first, last) of one graph attend to. Every head's values are padded to a row of V
/// numbers, and where D > 1 every head's logit numbers to D; what was added is 0.
struct AttentionTile {
  int nodes, channels, heads;
  int width;        // D: 1, or a multiple of the loops' width
  int value_width;  // V
  int first, last;
  const float *own, *other;            // [N, K, D]
  const float* x;                      // [N, N, R]
  const float* c;                      // [R, K, D]
  const float* a;                      // [K, D] or null
  const float* values;                 // [N, K, V]
  const std::int32_t *offsets, *list;  // of this graph; null: all nodes
  float* scratch;                      // [2, K, N + 16] and [K, D]
  float* agg;                          // [N, K, V], written for first..last
  float* norms;                        // [N, K, 2]

  const float* dagg;        // [N, K, V]
  float* down;              // [N, K, D], written for first..last
  float *dother, *dvalues;  // [N, K, D], [N, K, V], added to
  float* dx;                // [N, N, R], written for pairs that attend; or null
  const std::uint8_t* x_channels;
  float *dc, *da;  // [R, K, D], [K, D], added to
};

struct AttentionLoops {
  int width;
  void (*forward)(const AttentionTile& tile);
  void (*backward)(const AttentionTile& tile);
};

const AttentionLoops& attention_loops_avx2();
const AttentionLoops& attention_loops_avx512();

}  // namespace npq::kernels
