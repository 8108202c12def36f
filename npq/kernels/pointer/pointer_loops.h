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
      const float* to = t.to + at(j, P);
      for (int i = 0; i < N; ++i) {
        const std::size_t pair = at(j, N) + i;
        const float* from = t.from + at(i, P);
        const float* dense = t.dense ? t.dense + pair * P : nullptr;
        Floats sum{};
        for (int h = 0; h < P; h += W) {
          const Floats q = pair_sum<W>(to, t.x + pair * t.channels, t.channels, t.c, P, dense, h);
          sum += L::load(t.d + h) * L::max(L::load(from + h), q);
        }
        t.logits[at(i, N) + j] = L::sum(sum) + t.start[i];
      }
    }
  }

  static void backward(const PointerTile& t) {
    const int N = t.nodes, P = t.padded;
    for (int j = t.first; j < t.last; ++j) {
      float* dto = t.dto + at(j, P);
      fill<W>(dto, 0, P);
      for (int i = 0; i < N; ++i) {
        const std::size_t pair = at(j, N) + i;
        const float g = t.dlogits[at(i, N) + j];
        const float* values = t.x + pair * t.channels;
        float* dq = t.ddense ? t.ddense + pair * P : t.scratch;
        t.dbias[0] += g;
        split(t, i, j, g, dq, dto);
        for (int k = 0; k < t.channels; ++k) {
          add_scaled<W>(t.dc + at(k, P), values[k], dq, P);
          if (t.dx)
            t.dx[pair * t.channels + k] =
                !t.x_channels || t.x_channels[k] ? dot<W>(dq, t.c + at(k, P), P) : 0;
        }
      }
    }
  }

  /// g d goes to the larger side of each maximum; halves where both are equal.
  static NPQ_INLINE void split(const PointerTile& t, int i, int j, float g, float* dq, float* dto) {
    const int P = t.padded;
    const std::size_t pair = at(j, t.nodes) + i;
    const float *from = t.from + at(i, P), *to = t.to + at(j, P);
    const float* dense = t.dense ? t.dense + pair * P : nullptr;
    float* dfrom = t.dfrom + at(i, P);
    const Floats scale = L::all(g), half = L::all(0.5f);
    for (int h = 0; h < P; h += W) {
      const Floats a = L::load(from + h);
      const Floats q = pair_sum<W>(to, t.x + pair * t.channels, t.channels, t.c, P, dense, h);
      const Floats gradient = scale * L::load(t.d + h);
      const Floats tied = L::select(a == q, half * gradient, Floats{});
      const Floats left = L::select(a > q, gradient, tied);
      const Floats right = gradient - left;
      L::store(t.dd + h, L::load(t.dd + h) + scale * L::max(a, q));
      L::store(dfrom + h, L::load(dfrom + h) + left);
      L::store(dto + h, L::load(dto + h) + right);
      L::store(dq + h, right);
    }
  }
};

template <int W>
constexpr PointerLoops pointer_loops_of() {
  return {.width = W, .forward = PointerLoop<W>::forward, .backward = PointerLoop<W>::backward};
}

}  // namespace
}  // namespace npq::kernels
