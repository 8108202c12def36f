#pragma once
#include "npq/kernels/lanes/lanes.h"
#include "npq/kernels/lanes/pair_sum.h"
#include "npq/kernels/pointer/pointer_tile.h"

// For files of one instruction set alone, see lanes.h.
namespace npq::kernels {
namespace {

template <int W>
struct PointerLoop {
  using L = Lanes<W>;
  using Floats = typename L::Floats;

  static NPQ_INLINE std::size_t at(int row, int length) {
    return static_cast<std::size_t>(row) * length;
  }

  static void forward(const PointerTile& t) {
    const int N = t.nodes, P = t.padded;
    for (int j = t.first; j < t.last; ++j) {
      for (int i = 0; i < N; ++i) {
        Floats sum{};
        int h = 0;
        for (; h + 4 * W <= P; h += 4 * W) sum += products<4>(t, i, j, h);
        for (; h < P; h += W) sum += products<1>(t, i, j, h);
        t.logits[at(i, N) + j] = L::sum(sum) + t.start[i];
      }
    }
  }

  static void backward(const PointerTile& t) {
    const int N = t.nodes, P = t.padded;
    for (int j = t.first; j < t.last; ++j) {
      float* dq = t.ddense ? t.ddense + at(j, N) * P : t.scratch;  // [N, P]
      int h = 0;
      for (; h + 4 * W <= P; h += 4 * W) split<4>(t, j, h, dq);
      for (; h < P; h += W) split<1>(t, j, h, dq);
      for (int i = 0; i < N; ++i) t.dbias[0] += t.dlogits[at(i, N) + j];

      const auto row = [&](int i) NPQ_INLINE_LAMBDA { return dq + at(i, P); };
      float* dto = t.dto + at(j, P);
      fill<W>(dto, 0, P);
      add_all_scaled<W>(
          dto, N, [](int) NPQ_INLINE_LAMBDA { return 1.0f; }, row, P);
      for (int k = 0; k < t.channels; ++k) {
        const std::size_t first = at(j, N) * t.channels + k;
        add_all_scaled<W>(
            t.dc + at(k, P), N,
            [&](int i) NPQ_INLINE_LAMBDA { return t.x[first + at(i, t.channels)]; }, row, P);
        if (!t.dx) continue;
        const bool wanted = !t.x_channels || t.x_channels[k];
        for (int i = 0; i < N; ++i)
          t.dx[first + at(i, t.channels)] = wanted ? dot<W>(row(i), t.c + at(k, P), P) : 0;
      }
    }
  }

 private:
  /// Both sides of the maxima of pointer i -> j, numbers h .. h + V W.
  template <int V>
  struct Sides {
    NPQ_INLINE Sides(const PointerTile& t, int i, int j, int h) {
      const std::size_t pair = at(j, t.nodes) + i;
      pair_sums<W, V>(t.to + at(j, t.padded), t.x + pair * t.channels, t.channels, t.c, t.padded,
                      t.dense ? t.dense + pair * t.padded : nullptr, h, q);
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) from[v] = L::load(t.from + at(i, t.padded) + h + v * W);
    }
    Floats q[V], from[V];
  };

  template <int V>
  static NPQ_INLINE Floats products(const PointerTile& t, int i, int j, int h) {
    const Sides<V> sides(t, i, j, h);
    Floats sum{};
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) sum += L::load(t.d + h + v * W) * L::max(sides.from[v], sides.q[v]);
    return sum;
  }

  /// The gradient of a logit times d goes to the larger side of each maximum; halves where both are
  /// equal.
  template <int V>
  static NPQ_INLINE void split(const PointerTile& t, int j, int h, float* dq) {
    const int N = t.nodes, P = t.padded;
    const Floats half = L::all(0.5f);
    Floats dd[V];
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) dd[v] = L::load(t.dd + h + v * W);
    for (int i = 0; i < N; ++i) {
      const Sides<V> sides(t, i, j, h);
      const Floats scale = L::all(t.dlogits[at(i, N) + j]);
      float* dfrom = t.dfrom + at(i, P) + h;
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) {
        const Floats a = sides.from[v], q = sides.q[v];
        const Floats gradient = scale * L::load(t.d + h + v * W);
        const Floats tied = L::select(a == q, half * gradient, Floats{});
        const Floats left = L::select(a > q, gradient, tied);
        dd[v] += scale * L::max(a, q);
        L::store(dfrom + v * W, L::load(dfrom + v * W) + left);
        L::store(dq + at(i, P) + h + v * W, gradient - left);
      }
    }
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) L::store(t.dd + h + v * W, dd[v]);
  }
};

template <int W>
constexpr PointerLoops pointer_loops_of() {
  return {.width = W, .forward = PointerLoop<W>::forward, .backward = PointerLoop<W>::backward};
}

}  // namespace
}  // namespace npq::kernels
