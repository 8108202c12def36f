#pragma once
#include <cstddef>
#include <cstdint>

// Between edge_pointer.cpp and the loops of one instruction set. Plain data only.
namespace npq::kernels {

/// Pointers of the edges that leave nodes [first, last) of one graph. P is H rounded up to the
/// loops' width; what was added is 0.
struct EdgePointerTile {
  int nodes, padded, channels;  // N, P, R
  int first, last;
  const float *tail, *head, *to;  // [N, P]
  const float* x;                 // [N, N, R]
  const float* c;                 // [R, P]
  const float* dense;             // [N, N, P] or null
  const float* d;                 // [P]
  const float* start;             // [N]: the bias, or NaN where `to` has one
  float* logits;                  // [N, N, N]

  const float* dlogits;  // [N, N, N]
  float* scratch;        // [2, P]
  float* dtail;          // [N, P], written for first..last
  float *dhead, *dto;    // [N, P], added to
  float* dx;             // [N, N, R], written; or null
  const std::uint8_t* x_channels;
  float* ddense;           // [N, N, P], written; or null
  float *dc, *dd, *dbias;  // [R, P], [P], [1], added to
};

struct EdgePointerLoops {
  int width;
  void (*forward)(const EdgePointerTile& tile);
  void (*backward)(const EdgePointerTile& tile);
};

const EdgePointerLoops& edge_pointer_loops_avx2();
const EdgePointerLoops& edge_pointer_loops_avx512();

}  // namespace npq::kernels
