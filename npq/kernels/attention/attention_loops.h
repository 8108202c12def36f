#pragma once
#include "npq/kernels/attention/attention.h"
#include "npq/kernels/lanes/exp.h"
#include "npq/kernels/lanes/lanes.h"
#include "npq/kernels/lanes/pair_sum.h"

// For files of one instruction set alone, see lanes.h.
namespace npq::kernels {
namespace {

template <int W>
struct AttentionLoop {
  using L = Lanes<W>;
  using Floats = typename L::Floats;
  static constexpr float kLeak = kernels::kLeak;

  /// The list of one node.
  struct List {
    List(const AttentionTile& t, int i)
        : list(t.offsets ? t.list + t.offsets[i] : nullptr),
          count(t.offsets ? t.offsets[i + 1] - t.offsets[i] : t.nodes),
          padded((count + W - 1) / W * W) {}
    NPQ_INLINE int operator[](int n) const { return list ? list[n] : n; }
    const std::int32_t* list;
    int count, padded;
  };

  static NPQ_INLINE Floats leaky(Floats p) { return L::select(p > Floats{}, p, L::all(kLeak) * p); }

  /// own + other + X C of one number of one pair.
  static NPQ_INLINE float single(const AttentionTile& t, int i, int j, int h) {
    const float* values = t.x + (at(i, t.nodes) + j) * t.channels;
    float sum = t.own[at(i, t.heads) + h] + t.other[at(j, t.heads) + h];
    for (int r = 0; r < t.channels; ++r) sum += values[r] * t.c[at(r, t.heads) + h];
    return sum;
  }
  /// W of them, where heads have many.
  static NPQ_INLINE Floats many(const AttentionTile& t, int i, int j, int hd) {
    const int KD = t.heads * t.width;
    return L::load(t.other + at(j, KD) + hd) + pair_sum<W>(t.own + at(i, KD),
                                                           t.x + (at(i, t.nodes) + j) * t.channels,
                                                           t.channels, t.c, KD, nullptr, hd);
  }

  static NPQ_INLINE float logit(const AttentionTile& t, int i, int j, int h) {
    if (t.width == 1) {
      const float p = single(t, i, j, h);
      return (t.a ? t.a[h] : 1.0f) * (p > 0 ? p : kLeak * p);
    }
    Floats sum{};
    for (int hd = h * t.width; hd < (h + 1) * t.width; hd += W)
      sum += L::load(t.a + hd) * leaky(many(t, i, j, hd));
    return L::sum(sum);
  }

  /// logits [K, padded], -inf behind the list.
  static NPQ_INLINE void find_logits(const AttentionTile& t, int i, const List& list,
                                     float* logits) {
    for (int h = 0; h < t.heads; ++h) {
      float* mine = logits + at(h, list.padded);
      for (int n = 0; n < list.count; ++n) mine[n] = logit(t, i, list[n], h);
      for (int n = list.count; n < list.padded; ++n) mine[n] = -__builtin_inff();
    }
  }

  /// out[0 .. C * W) = scale * sum_n weights[n] rows[n], C vectors at a time in registers.
  template <int C>
  static NPQ_INLINE void weighted_sum(const AttentionTile& t, const List& list,
                                      const float* weights, float scale, const float* values,
                                      float* out) {
    const int row = t.heads * t.value_width;
    Floats sums[C] = {};
    for (int n = 0; n < list.count; ++n) {
      const Floats weight = L::all(weights[n]);
      const float* value = values + at(list[n], row);
#pragma GCC unroll 8
      for (int c = 0; c < C; ++c) sums[c] += weight * L::load(value + c * W);
    }
#pragma GCC unroll 8
    for (int c = 0; c < C; ++c) L::store(out + c * W, L::all(scale) * sums[c]);
  }

  static void forward(const AttentionTile& t) {
    const int V = t.value_width;
    for (int i = t.first; i < t.last; ++i) {
      const List list(t, i);
      find_logits(t, i, list, t.scratch);
      for (int h = 0; h < t.heads; ++h) {
        float* weights = t.scratch + at(h, list.padded);
        const float top = largest<W>(weights, list.padded);
        const float scale = 1 / exponentials<W>(weights, list.padded, top);
        float* norms = t.norms + (at(i, t.heads) + h) * 2;
        norms[0] = top, norms[1] = scale;
        const float* values = t.values + h * V;
        float* out = t.agg + (at(i, t.heads) + h) * V;
        int v = 0;
        for (; v + 8 * W <= V; v += 8 * W)
          weighted_sum<8>(t, list, weights, scale, values + v, out + v);
        for (; v < V; v += W) weighted_sum<1>(t, list, weights, scale, values + v, out + v);
      }
    }
  }

  static void backward(const AttentionTile& t) {
    const int V = t.value_width, KD = t.heads * t.width;
    for (int i = t.first; i < t.last; ++i) {
      const List list(t, i);
      float* weights = t.scratch;                           // [K, padded]
      float* dlogits = weights + at(t.heads, list.padded);  // [K, padded]
      float* pair = dlogits + at(t.heads, list.padded);     // [K, D]
      find_logits(t, i, list, weights);
      for (int h = 0; h < t.heads; ++h) {
        const float* norms = t.norms + (at(i, t.heads) + h) * 2;
        float* weight = weights + at(h, list.padded);
        float* dlogit = dlogits + at(h, list.padded);
        exponentials<W>(weight, list.padded, norms[0]);
        const float* g = t.dagg + (at(i, t.heads) + h) * V;
        float mean = 0;
        for (int n = 0; n < list.count; ++n) {
          weight[n] *= norms[1];
          const std::size_t value = (at(list[n], t.heads) + h) * V;
          dlogit[n] = dot<W>(g, t.values + value, V);
          add_scaled<W>(t.dvalues + value, weight[n], g, V);
          mean += weight[n] * dlogit[n];
        }
        for (int n = 0; n < list.count; ++n) dlogit[n] = weight[n] * (dlogit[n] - mean);
      }
      for (int k = 0; k < KD; ++k) t.down[at(i, KD) + k] = 0;
      for (int n = 0; n < list.count; ++n) {
        const int j = list[n];
        if (t.width == 1)
          pass_on_single(t, i, j, dlogits + n, list.padded);
        else
          pass_on_many(t, i, j, dlogits + n, list.padded, pair);
      }
    }
  }

  static NPQ_INLINE bool wanted(const AttentionTile& t, int r) {
    return t.dx && (!t.x_channels || t.x_channels[r]);
  }

  static NPQ_INLINE void pass_on_single(const AttentionTile& t, int i, int j, const float* dlogit,
                                        int stride) {
    const float* values = t.x + (at(i, t.nodes) + j) * t.channels;
    for (int h = 0; h < t.heads; ++h) {
      const float g = dlogit[at(h, stride)], p = single(t, i, j, h), a = t.a ? t.a[h] : 1.0f;
      if (t.da) t.da[h] += g * (p > 0 ? p : kLeak * p);
      const float dp = g * a * (p > 0 ? 1.0f : kLeak);
      t.down[at(i, t.heads) + h] += dp;
      t.dother[at(j, t.heads) + h] += dp;
      for (int r = 0; r < t.channels; ++r) {
        t.dc[at(r, t.heads) + h] += values[r] * dp;
        if (wanted(t, r)) t.dx[(values - t.x) + r] += dp * t.c[at(r, t.heads) + h];
      }
    }
  }

  static NPQ_INLINE void pass_on_many(const AttentionTile& t, int i, int j, const float* dlogit,
                                      int stride, float* pair) {
    const int KD = t.heads * t.width;
    const float* values = t.x + (at(i, t.nodes) + j) * t.channels;
    float *down = t.down + at(i, KD), *dother = t.dother + at(j, KD);
    for (int h = 0; h < t.heads; ++h) {
      const Floats g = L::all(dlogit[at(h, stride)]);
      for (int hd = h * t.width; hd < (h + 1) * t.width; hd += W) {
        const Floats p = many(t, i, j, hd);
        L::store(t.da + hd, L::load(t.da + hd) + g * leaky(p));
        const Floats slope = L::select(p > Floats{}, L::all(1.0f), L::all(kLeak));
        const Floats dp = g * L::load(t.a + hd) * slope;
        L::store(down + hd, L::load(down + hd) + dp);
        L::store(dother + hd, L::load(dother + hd) + dp);
        L::store(pair + hd, dp);
      }
    }
    for (int r = 0; r < t.channels; ++r) {
      add_scaled<W>(t.dc + at(r, KD), values[r], pair, KD);
      if (wanted(t, r)) t.dx[(values - t.x) + r] = dot<W>(pair, t.c + at(r, KD), KD);
    }
  }
};

template <int W>
constexpr AttentionLoops attention_loops_of() {
  return {.width = W, .forward = AttentionLoop<W>::forward, .backward = AttentionLoop<W>::backward};
}

}  // namespace
}  // namespace npq::kernels
