#include "npq/kernels/max_plus/max_plus.h"

#include <algorithm>

#include "npq/base/error.h"
#include "npq/kernels/calls.h"
#include "npq/kernels/jobs.h"
#include "npq/kernels/levels.h"
#include "npq/kernels/padding.h"

namespace npq::kernels {

void max_plus_forward_with(const MaxPlusLoops& loops, const MaxPlusShape& shape, const float* left,
                           const float* right, float* out, std::uint16_t* arg, int threads) {
  const int N = shape.nodes, F = shape.features, P = round_up(N, loops.width);
  const std::size_t square = static_cast<std::size_t>(N) * N,
                    padded = static_cast<std::size_t>(N) * P;
  run_jobs(threads, shape.batch * F, [&](int job) {
    const std::size_t graph = static_cast<std::size_t>(job / F) * square * F;
    const int f = job % F;
    float* memory = scratch(square + padded + 8 * static_cast<std::size_t>(P) + 64, kForLoops);
    Arena arena(memory);
    float* mine_left = arena.take(square);
    float* mine_right = arena.take(padded);
    float* rows = arena.take(4 * static_cast<std::size_t>(P));
    auto* who = reinterpret_cast<std::int32_t*>(arena.take(4 * static_cast<std::size_t>(P)));

    // One feature, so that numbers side by side belong to columns side by side.
    for (std::size_t i = 0; i < square; ++i) mine_left[i] = left[graph + i * F + f];
    for (int i = 0; i < N; ++i) {
      for (int k = 0; k < N; ++k)
        mine_right[static_cast<std::size_t>(i) * P + k] =
            right[graph + (static_cast<std::size_t>(i) * N + k) * F + f];
      std::fill(mine_right + static_cast<std::size_t>(i) * P + N,
                mine_right + static_cast<std::size_t>(i + 1) * P, 0.0f);
    }
    const MaxPlusTile tile{N, P, mine_left, mine_right, rows, who};
    for (int j = 0; j < N; j += 4) {
      const int count = std::min(4, N - j);
      loops.rows(tile, j, count);
      for (int m = 0; m < count; ++m) {
        for (int k = 0; k < N; ++k) {
          const std::size_t to = graph + (static_cast<std::size_t>(j + m) * N + k) * F + f;
          out[to] = rows[static_cast<std::size_t>(m) * P + k];
          arg[to] = static_cast<std::uint16_t>(who[static_cast<std::size_t>(m) * P + k]);
        }
      }
    }
  });
}

void max_plus_forward(const MaxPlusShape& shape, const float* left, const float* right, float* out,
                      std::uint16_t* arg, int threads) {
  if (shape.nodes > kMostMaxPlusNodes)
    throw Error("a graph has {} nodes; fused triplets take at most {}", shape.nodes,
                kMostMaxPlusNodes);
  count_call(Kernel::MaxPlus);
  if (const auto* loops = choose_loops(kMaxPlusAvx2, kMaxPlusAvx512))
    return max_plus_forward_with(*loops, shape, left, right, out, arg, threads);
  max_plus_forward_reference(shape, left, right, out, arg);
}

void max_plus_backward(const MaxPlusShape& shape, const std::uint16_t* arg, const float* dout,
                       float* dleft, float* dright, int threads) {
  count_call(Kernel::MaxPlusBackward);
  // An N-th of the forward's work, and all of it scattered: plain at every level, a graph per job.
  const std::size_t graph = static_cast<std::size_t>(shape.nodes) * shape.nodes * shape.features;
  run_jobs(threads, shape.batch, [&](int b) {
    MaxPlusShape one = shape;
    one.batch = 1;
    max_plus_backward_reference(one, arg + b * graph, dout + b * graph,
                                dleft ? dleft + b * graph : nullptr,
                                dright ? dright + b * graph : nullptr);
  });
}

}  // namespace npq::kernels
