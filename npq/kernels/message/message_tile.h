#pragma once
#include <cstddef>
#include <cstdint>

// Between message.cpp, which divides the work, and the loops of one instruction set. Plain data
// only.
namespace npq::kernels {

/// The messages to receivers [first, last) of one graph. P is H rounded up to the loops' width;
/// what was added is 0. Pointers are to this graph's part.
struct MessageTile {
  int nodes, hidden, padded, channels;  // N, H, P, R
  int first, last;
  const float *recv, *send;                              // [N, P]
  const float* x;                                        // [N, N, R]
  const float* c;                                        // [R, P]
  const float *w0, *w1;                                  // packed
  const float *b0, *b1;                                  // [P]
  const float* memory;                                   // [N, P] or null
  enum class Hears { All, Self, Listed, Memory } hears;  // Memory: one receiver, the memory's rows
  bool own_memory;                     // receivers also hear their own row of the memory
  const std::int32_t *offsets, *list;  // Listed: offsets[r] .. offsets[r + 1] of this graph
  float* scratch;                      // scratch_floats
  float* kept;                         // [N, N + own_memory, H]: y, receiver first; or null

  // Forward. Hears::Memory writes [1, P]; best and best_arg are what it wrote, null without.
  const float* best;
  const std::int32_t* best_arg;
  float* agg;          // [N, H]
  std::uint16_t* arg;  // [N, H]
  float* memory_agg;   // [P], Hears::Memory
  std::int32_t* memory_arg;

  // Backward. Where a gradient is added to, several tiles of one job may add in turn.
  const float* dagg;           // [N, H]
  const float* w0_transposed;  // packed
  const float* w1_transposed;  // [P, P], row f is column f of W1
  float* drecv;                // [N, P], written for first..last
  float* dsend;                // [N, P], added to
  float* dmemory;              // [N, P], added to
  float* dx;                   // [N, N, R], written where a message is alive; or null
  const std::uint8_t* x_channels;
  float *dc, *dw0, *db0, *dw1_transposed, *db1;  // [R, P], [P, P], [P], [P, P], [P]: added to
};

/// The loops of one instruction set.
struct MessageLoops {
  int width;
  void (*pack)(const float* w, int padded, float* packed);  // [P, P] -> [P * P]
  std::size_t (*forward_scratch)(int padded);
  std::size_t (*backward_scratch)(int padded, int nodes);
  void (*forward)(const MessageTile& tile);
  void (*backward)(const MessageTile& tile);
};

const MessageLoops& message_loops_avx2();
const MessageLoops& message_loops_avx512();
const MessageLoops& message_loops_amx();

}  // namespace npq::kernels
