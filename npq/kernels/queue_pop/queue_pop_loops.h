#pragma once
#include "npq/kernels/lanes/exp.h"
#include "npq/kernels/lanes/lanes.h"
#include "npq/kernels/queue_pop/queue_pop.h"

// For files of one instruction set alone, see lanes.h.
namespace npq::kernels {
namespace {

using Q = QueueChoices;

template <int W>
struct QueuePopLoop {
  using L = Lanes<W>;
  using Floats = typename L::Floats;
  static constexpr float kLeak = kernels::kLeak;

  /// In place; what lies behind the slots becomes 0.
  static NPQ_INLINE void softmax(const QueuePopTile& t, float* x) {
    for (int j = t.count; j < t.padded; ++j) x[j] = -__builtin_inff();
    const Floats scale = L::all(1 / exponentials<W>(x, t.padded, largest<W>(x, t.padded)));
    for (int j = 0; j < t.padded; j += W) L::store(x + j, L::load(x + j) * scale);
  }

  /// dx in place of dy, for y = softmax(x).
  static NPQ_INLINE void softmax_gradient(const QueuePopTile& t, const float* y, float* dy) {
    const Floats mean = L::all(dot<W>(y, dy, t.padded));
    for (int j = 0; j < t.padded; j += W)
      L::store(dy + j, L::load(y + j) * (L::load(dy + j) - mean));
  }

  /// a of node i, all heads.
  static NPQ_INLINE void find_heads(const QueuePopTile& t, int i, float* heads) {
    const int K = t.shape.heads, P = t.padded;
    for (int h = 0; h < K; ++h) {
      const Floats asked = L::all(t.asked[at(i, K) + h]);
      const float* held = t.held + at(h, P);
      float* logits = heads + at(h, P);
      for (int j = 0; j < P; j += W) {
        const Floats sum = asked + L::load(held + j);
        Floats logit = L::select(sum > Floats{}, sum, L::all(kLeak) * sum);
        if (t.lowered) logit -= L::load(t.lowered + j);
        L::store(logits + j, logit);
      }
      softmax(t, logits);
    }
  }

  static NPQ_INLINE void attend(const QueuePopTile& t, int i) {
    const int P = t.padded;
    float* c = t.attention + at(i, P);
    find_heads(t, i, t.heads);
    fill<W>(c, 0, P);
    for (int h = 0; h < t.shape.heads; ++h)
      add_scaled<W>(c, t.shape.single_head_skip ? 1.0f : t.combine[h], t.heads + at(h, P), P);
    if (!t.shape.single_head_skip) softmax(t, c);
  }

  static NPQ_INLINE const float* attention_of(const QueuePopTile& t, int i) {
    return t.shape.reader == Q::Reader::Graph ? t.shared : t.attention + at(i, t.padded);
  }

  static NPQ_INLINE bool is_real(const QueuePopTile& t, int i) { return !t.real || t.real[i]; }

  static NPQ_INLINE int lowest_best(const float* c, int count) {
    int best = 0;
    for (int j = 1; j < count; ++j) {
      if (c[j] > c[best]) best = j;
    }
    return best;
  }

  static NPQ_INLINE float strength(const QueuePopTile& t, int i) {
    return t.shape.pop == Q::Pop::Keep ? 1.0f : t.strength[i];
  }

  static void forward(const QueuePopTile& t) {
    const int N = t.shape.nodes, P = t.padded, G = t.value_width;
    for (int i = 0; i < N; ++i) attend(t, i);
    if (t.shape.reader == Q::Reader::Graph) {
      fill<W>(t.shared, 0, P);
      for (int i = 0; i < N; ++i) {
        if (is_real(t, i)) add<W>(t.shared, t.attention + at(i, P), P);
      }
      softmax(t, t.shared);
    }
    if (t.shape.read == Q::Read::Max) {
      for (int i = 0; i < N; ++i) t.best[i] = lowest_best(attention_of(t, i), t.count);
    }
    find_grants(t);
    for (int i = 0; i < N; ++i) {
      float* value = t.value + at(i, G);
      fill<W>(value, 0, G);
      const float mine = strength(t, i);
      if (t.shape.read == Q::Read::Max) {
        add_scaled<W>(value, mine * t.scale[t.best[i]], t.v + at(t.best[i], G), G);
        continue;
      }
      const float* c = attention_of(t, i);
      for (int j = 0; j < t.count; ++j)
        add_scaled<W>(value, mine * c[j] * t.scale[j], t.v + at(j, G), G);
    }
  }

  /// total and scale: what of a request is granted.
  static NPQ_INLINE void find_grants(const QueuePopTile& t) {
    const int N = t.shape.nodes, P = t.padded;
    fill<W>(t.scale, 1, P);
    if (t.shape.pop == Q::Pop::Keep) return;
    fill<W>(t.total, 0, P);
    for (int i = 0; i < N; ++i) {
      if (t.shape.read == Q::Read::Max)
        t.total[t.best[i]] += t.strength[i];
      else
        add_scaled<W>(t.total, t.strength[i], attention_of(t, i), P);
    }
    for (int j = 0; j < t.count; ++j) {
      const float s = t.s[j], total = t.total[j];
      if (t.shape.grant == Q::Grant::Epsilon)
        t.scale[j] = (s < total ? s : total) / (total + static_cast<float>(kGrantEpsilon));
      else if (total > s)
        t.scale[j] = s / total;
    }
  }

  static void backward(const QueuePopTile& t) {
    const int N = t.shape.nodes, P = t.padded, G = t.value_width;
    const bool attends = t.shape.read != Q::Read::Max || t.shape.straight_through;
    // dq, and the gradient of the values.
    fill<W>(t.dv, 0, t.count * G);
    for (int i = 0; i < N; ++i) {
      const float* g = t.dvalue + at(i, G);
      const float* c = attention_of(t, i);
      float* dq = t.dattention + at(i, P);
      fill<W>(dq, 0, P);
      for (int j = 0; j < t.count; ++j) {
        const bool chosen = t.shape.read != Q::Read::Max || j == t.best[i];
        if (chosen)
          add_scaled<W>(t.dv + at(j, G),
                        strength(t, i) * (t.shape.read == Q::Read::Max ? 1.0f : c[j]) * t.scale[j],
                        g, G);
        if (chosen || attends) dq[j] = dot<W>(g, t.v + at(j, G), G);
      }
    }
    if (t.shape.pop != Q::Pop::Keep) pass_grants(t, attends);
    if (!attends) {
      for (int k = 0; k < N * t.shape.heads; ++k) t.dasked[k] = 0;
      fill<W>(t.dheld, 0, t.shape.heads * P);
      return;
    }
    if (t.shape.reader == Q::Reader::Graph) {
      fill<W>(t.row, 0, P);
      for (int i = 0; i < N; ++i) add<W>(t.row, t.dattention + at(i, P), P);
      softmax_gradient(t, t.shared, t.row);
      for (int i = 0; i < N; ++i) {
        if (is_real(t, i))
          __builtin_memcpy(t.dattention + at(i, P), t.row, P * sizeof(float));
        else
          fill<W>(t.dattention + at(i, P), 0, P);
      }
    }
    fill<W>(t.dheld, 0, t.shape.heads * P);
    for (int i = 0; i < N; ++i) pass_attention(t, i);
  }

  /// Through q = p scale and p = strength spread: dattention holds dq, then dc.
  static NPQ_INLINE void pass_grants(const QueuePopTile& t, bool attends) {
    const int N = t.shape.nodes, P = t.padded;
    float *dscale = t.row, *dtotal = t.row + P;
    fill<W>(dscale, 0, P);
    for (int i = 0; i < N; ++i) {
      const float* c = attention_of(t, i);
      const float* dq = t.dattention + at(i, P);
      if (t.shape.read == Q::Read::Max) {
        dscale[t.best[i]] += dq[t.best[i]] * t.strength[i];
        continue;
      }
      const Floats mine = L::all(t.strength[i]);
      for (int j = 0; j < P; j += W)
        L::store(dscale + j, L::load(dscale + j) + mine * L::load(c + j) * L::load(dq + j));
    }
    for (int j = 0; j < P; ++j) {
      t.ds[j] = 0;
      dtotal[j] = t.dtotal && j < t.count ? t.dtotal[j] : 0;
      if (j < t.count) pass_grant(t, j, dscale[j], dtotal + j);
    }
    for (int i = 0; i < N; ++i) {
      const float* c = attention_of(t, i);
      float* dp = t.dattention + at(i, P);
      for (int j = 0; j < P; j += W)
        L::store(dp + j, L::load(dp + j) * L::load(t.scale + j) + L::load(dtotal + j));
      t.dstrength[i] = t.shape.read == Q::Read::Max ? dp[t.best[i]] : dot<W>(dp, c, P);
      if (!attends) continue;
      const Floats mine = L::all(t.strength[i]);
      for (int j = 0; j < P; j += W) L::store(dp + j, L::load(dp + j) * mine);
    }
  }

  static NPQ_INLINE void pass_grant(const QueuePopTile& t, int j, float dscale, float* dtotal) {
    const float s = t.s[j], total = t.total[j];
    if (t.shape.grant == Q::Grant::Epsilon) {
      const float bottom = total + static_cast<float>(kGrantEpsilon), least = s < total ? s : total;
      const float half = s == total ? 0.5f : 1.0f;
      if (s <= total) t.ds[j] = half * dscale / bottom;
      if (s >= total) *dtotal += half * dscale / bottom;
      *dtotal -= dscale * least / (bottom * bottom);
    } else if (total > s) {
      t.ds[j] = dscale / total;
      *dtotal -= dscale * s / (total * total);
    }
  }

  static NPQ_INLINE void pass_attention(const QueuePopTile& t, int i) {
    const int K = t.shape.heads, P = t.padded;
    float* dcombined = t.dattention + at(i, P);
    float* da = t.heads + at(K, P);
    find_heads(t, i, t.heads);
    if (!t.shape.single_head_skip) softmax_gradient(t, t.attention + at(i, P), dcombined);
    for (int h = 0; h < K; ++h) {
      const float* a = t.heads + at(h, P);
      const float weight = t.shape.single_head_skip ? 1.0f : t.combine[h];
      if (!t.shape.single_head_skip) t.dcombine[h] += dot<W>(dcombined, a, P);
      for (int j = 0; j < P; j += W) L::store(da + j, L::load(dcombined + j) * L::all(weight));
      softmax_gradient(t, a, da);
      const Floats asked = L::all(t.asked[at(i, K) + h]);
      const float* held = t.held + at(h, P);
      float* dheld = t.dheld + at(h, P);
      Floats sum{};
      for (int j = 0; j < P; j += W) {
        const Floats slope =
            L::select(asked + L::load(held + j) > Floats{}, L::all(1.0f), L::all(kLeak));
        const Floats de = L::load(da + j) * slope;
        sum += de;
        L::store(dheld + j, L::load(dheld + j) + de);
      }
      t.dasked[at(i, K) + h] = L::sum(sum);
    }
  }
};

template <int W>
constexpr QueuePopLoops queue_pop_loops_of() {
  return {.width = W, .forward = QueuePopLoop<W>::forward, .backward = QueuePopLoop<W>::backward};
}

}  // namespace
}  // namespace npq::kernels
