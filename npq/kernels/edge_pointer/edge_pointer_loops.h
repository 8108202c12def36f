#pragma once
#include "npq/kernels/edge_pointer/edge_pointer_tile.h"
#include "npq/kernels/lanes/lanes.h"
#include "npq/kernels/lanes/pair_sum.h"

// For files of one instruction set alone, see lanes.h.
namespace npq::kernels {
namespace {

template <int W>
struct EdgePointerLoop {
  using L = Lanes<W>;
  using Floats = typename L::Floats;

  static NPQ_INLINE std::size_t at(int row, int length) {
    return static_cast<std::size_t>(row) * length;
  }

  static NPQ_INLINE void edge(const EdgePointerTile& t, int i, int j, float* q) {
    const int P = t.padded;
    const std::size_t pair = at(i, t.nodes) + j;
    const float *tail = t.tail + at(i, P), *head = t.head + at(j, P);
    const float* dense = t.dense ? t.dense + pair * P : nullptr;
    for (int h = 0; h < P; h += W)
      L::store(q + h, L::load(head + h) +
                          pair_sum<W>(tail, t.x + pair * t.channels, t.channels, t.c, P, dense, h));
  }

  /// K nodes at a time share the loads of q and d.
  template <int K>
  static NPQ_INLINE void logits(const EdgePointerTile& t, const float* q, int k, float* out) {
    const int P = t.padded;
    const float* to = t.to + at(k, P);
    Floats sums[K] = {};
    for (int h = 0; h < P; h += W) {
      const Floats mine = L::load(q + h), d = L::load(t.d + h);
#pragma GCC unroll 4
      for (int n = 0; n < K; ++n) sums[n] += d * L::max(L::load(to + at(n, P) + h), mine);
    }
    for (int n = 0; n < K; ++n) out[k + n] = L::sum(sums[n]) + t.start[k + n];
  }

  static void forward(const EdgePointerTile& t) {
    const int N = t.nodes;
    for (int i = t.first; i < t.last; ++i) {
      for (int j = 0; j < N; ++j) {
        edge(t, i, j, t.scratch);
        float* out = t.logits + (at(i, N) + j) * N;
        int k = 0;
        for (; k + 4 <= N; k += 4) logits<4>(t, t.scratch, k, out);
        for (; k < N; ++k) logits<1>(t, t.scratch, k, out);
      }
    }
  }

  static void backward(const EdgePointerTile& t) {
    const int N = t.nodes, P = t.padded;
    float* q = t.scratch;
    for (int i = t.first; i < t.last; ++i) {
      fill<W>(t.dtail + at(i, P), 0, P);
      for (int j = 0; j < N; ++j) {
        const std::size_t pair = at(i, N) + j;
        float* dq = t.ddense ? t.ddense + pair * P : t.scratch + P;
        edge(t, i, j, q);
        fill<W>(dq, 0, P);
        for (int k = 0; k < N; ++k) split(t, q, k, t.dlogits[pair * N + k], dq);
        add<W>(t.dtail + at(i, P), dq, P);
        add<W>(t.dhead + at(j, P), dq, P);
        for (int r = 0; r < t.channels; ++r) {
          const std::size_t value = pair * t.channels + r;
          add_scaled<W>(t.dc + at(r, P), t.x[value], dq, P);
          if (t.dx)
            t.dx[value] = !t.x_channels || t.x_channels[r] ? dot<W>(dq, t.c + at(r, P), P) : 0;
        }
      }
    }
  }

  /// g d goes to the larger side of each maximum; halves where both are equal.
  static NPQ_INLINE void split(const EdgePointerTile& t, const float* q, int k, float g,
                               float* dq) {
    if (g == 0) return;
    const int P = t.padded;
    const float* to = t.to + at(k, P);
    float* dto = t.dto + at(k, P);
    const Floats scale = L::all(g), half = L::all(0.5f);
    t.dbias[0] += g;
    for (int h = 0; h < P; h += W) {
      const Floats a = L::load(q + h), b = L::load(to + h);
      const Floats gradient = scale * L::load(t.d + h);
      const Floats tied = L::select(a == b, half * gradient, Floats{});
      const Floats left = L::select(a > b, gradient, tied);
      L::store(t.dd + h, L::load(t.dd + h) + scale * L::max(a, b));
      L::store(dq + h, L::load(dq + h) + left);
      L::store(dto + h, L::load(dto + h) + (gradient - left));
    }
  }
};

template <int W>
constexpr EdgePointerLoops edge_pointer_loops_of() {
  return {
      .width = W, .forward = EdgePointerLoop<W>::forward, .backward = EdgePointerLoop<W>::backward};
}

}  // namespace
}  // namespace npq::kernels
