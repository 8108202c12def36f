#pragma once
#include <cstddef>
#include <cstdint>

#include "npq/kernels/queue_pop/queue_pop.h"

// Between queue_pop.cpp and the loops of one instruction set. Plain data only.
namespace npq::kernels {

/// One graph. The n slots that take part (the occupied ones, or all) lie side by side, P is n
/// rounded up to the loops' width; rows of values have G numbers, F rounded up. What was added is
/// 0.
struct QueuePopTile {
  QueuePopShape shape;
  int count, padded, value_width;  // n, P, G
  const float* asked;              // [N, K]
  const float* held;               // [K, P]
  const float* combine;            // [K]
  const float* strength;           // [N]
  const float* s;                  // [P]
  const float* v;                  // [n, G]
  const float* lowered;            // [P]: 1e9 for empty slots, or null
  const std::uint8_t* real;        // [N], or null

  float* attention;    // [N, P]: c of every node
  float* shared;       // [P]: c of all nodes, with one_reader
  float* total;        // [P]
  float* scale;        // [P]
  std::int32_t* best;  // [N], with best_only
  float* heads;        // [2, K, P]
  float* value;        // [N, G]

  const float* dvalue;        // [N, G]
  const float* dtotal;        // [P]
  float* dattention;          // [N, P]
  float *dasked, *dstrength;  // [N, K], [N]: written
  float *dheld, *dv, *ds;     // [K, P], [n, G], [P]: written
  float* dcombine;            // [K]: added to
  float* row;                 // [2, P]
};

struct QueuePopLoops {
  int width;
  void (*forward)(const QueuePopTile& tile);
  void (*backward)(const QueuePopTile& tile);  // after forward on the same tile
};

const QueuePopLoops& queue_pop_loops_avx2();
const QueuePopLoops& queue_pop_loops_avx512();

}  // namespace npq::kernels
