#pragma once
#include <cstddef>
#include <cstdint>

// Between pointer.cpp and the loops of one instruction set. Plain data only.
namespace npq::kernels {

/// Pointers of all nodes to nodes [first, last) of one graph. P is H rounded up to the loops'
/// width; what was added is 0. `dense` keeps rows of P too.
struct PointerTile {
  int nodes, padded, channels;  // N, P, R
  int first, last;
  const float *from, *to;  // [N, P]
  const float* x;          // [N, N, R]
  const float* c;          // [R, P]
  const float* dense;      // [N, N, P] or null
  const float* d;          // [P]
  const float* start;      // [N]: the bias, or NaN where `from` has one
  float* logits;           // [N, N]

  const float* dlogits;  // [N, N]
  float* scratch;        // [N, P]
  float* dfrom;          // [N, P], added to
  float* dto;            // [N, P], written for first..last
  float* dx;             // [N, N, R], written; or null
  const std::uint8_t* x_channels;
  float* ddense;           // [N, N, P], written; or null
  float *dc, *dd, *dbias;  // [R, P], [P], [1], added to
};

struct PointerLoops {
  int width;
  void (*forward)(const PointerTile& tile);
  void (*backward)(const PointerTile& tile);
};

const PointerLoops& pointer_loops_avx2();
const PointerLoops& pointer_loops_avx512();

}  // namespace npq::kernels
