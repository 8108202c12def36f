#pragma once
#include "npq/kernels/lanes/lanes.h"
#include "npq/kernels/lanes/pair_sum.h"
#include "npq/kernels/pointer/pointer.h"

// For files of one instruction set alone, see lanes.h.
namespace npq::kernels {
namespace {

template <int W>
struct PointerLoop {
  using L = Lanes<W>;
  using Floats = typename L::Floats;

  static void forward(const PointerTile& t) {
    for (int i = t.first; i < t.last; ++i) t.column ? edges_forward(t, i) : nodes_forward(t, i);
  }

  static void backward(const PointerTile& t) {
    for (int i = t.first; i < t.last; ++i) t.column ? edges_backward(t, i) : nodes_backward(t, i);
  }

 private:
  /// q of pair (i, j), numbers h .. h + V W, without the column.
  template <int V>
  static NPQ_INLINE void find_pair(const PointerTile& t, int i, int j, int h, Floats (&q)[V]) {
    const std::size_t pair = at(i, t.nodes) + j;
    pair_sums<W, V>(t.row + at(i, t.padded), t.x + pair * t.channels, t.channels, t.c, t.padded,
                    t.dense ? t.dense + pair * t.padded : nullptr, h, q);
  }

  /// What the first side of max(a, b) gets of a gradient: all where it is larger, half where both
  /// are equal.
  static NPQ_INLINE Floats share_of_first(Floats a, Floats b, Floats gradient) {
    const Floats tied = L::select(a == b, L::all(0.5f) * gradient, Floats{});
    return L::select(a > b, gradient, tied);
  }

  // All nodes j point to node i.

  static NPQ_INLINE void nodes_forward(const PointerTile& t, int i) {
    const int N = t.nodes, P = t.padded;
    for (int j = 0; j < N; ++j) {
      Floats sum{};
      int h = 0;
      for (; h + 4 * W <= P; h += 4 * W) sum += products<4>(t, i, j, h);
      for (; h < P; h += W) sum += products<1>(t, i, j, h);
      t.logits[at(j, N) + i] = L::sum(sum) + t.start[j];
    }
  }

  template <int V>
  static NPQ_INLINE Floats products(const PointerTile& t, int i, int j, int h) {
    Floats q[V], sum{};
    find_pair(t, i, j, h, q);
    const float* node = t.node + at(j, t.padded) + h;
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v)
      sum += L::load(t.d + h + v * W) * L::max(L::load(node + v * W), q[v]);
    return sum;
  }

  static NPQ_INLINE void nodes_backward(const PointerTile& t, int i) {
    const int N = t.nodes, P = t.padded;
    float* dq = t.ddense ? t.ddense + at(i, N) * P : t.scratch;  // [N, P]
    int h = 0;
    for (; h + 4 * W <= P; h += 4 * W) split_nodes<4>(t, i, h, dq);
    for (; h < P; h += W) split_nodes<1>(t, i, h, dq);
    for (int j = 0; j < N; ++j) t.dbias[0] += t.dlogits[at(j, N) + i];

    const auto row = [&](int j) NPQ_INLINE_LAMBDA { return dq + at(j, P); };
    float* drow = t.drow + at(i, P);
    fill<W>(drow, 0, P);
    add_all_scaled<W>(
        drow, N, [](int) NPQ_INLINE_LAMBDA { return 1.0f; }, row, P);
    for (int k = 0; k < t.channels; ++k) {
      const std::size_t first = at(i, N) * t.channels + k;
      add_all_scaled<W>(
          t.dc + at(k, P), N,
          [&](int j) NPQ_INLINE_LAMBDA { return t.x[first + at(j, t.channels)]; }, row, P);
      if (!t.dx) continue;
      for (int j = 0; j < N; ++j)
        t.dx[first + at(j, t.channels)] = wanted(t, k) ? dot<W>(row(j), t.c + at(k, P), P) : 0;
    }
  }

  static NPQ_INLINE bool wanted(const PointerTile& t, int k) {
    return !t.x_channels || t.x_channels[k];
  }

  /// The gradients of the logits to node i, numbers h .. h + V W.
  template <int V>
  static NPQ_INLINE void split_nodes(const PointerTile& t, int i, int h, float* dq) {
    const int N = t.nodes, P = t.padded;
    Floats dd[V];
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) dd[v] = L::load(t.dd + h + v * W);
    for (int j = 0; j < N; ++j) {
      Floats q[V];
      find_pair(t, i, j, h, q);
      const Floats scale = L::all(t.dlogits[at(j, N) + i]);
      const float* node = t.node + at(j, P) + h;
      float* dnode = t.dnode + at(j, P) + h;
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) {
        const Floats a = L::load(node + v * W);
        const Floats gradient = scale * L::load(t.d + h + v * W);
        const Floats of_node = share_of_first(a, q[v], gradient);
        dd[v] += scale * L::max(a, q[v]);
        L::store(dnode + v * W, L::load(dnode + v * W) + of_node);
        L::store(dq + at(j, P) + h + v * W, gradient - of_node);
      }
    }
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) L::store(t.dd + h + v * W, dd[v]);
  }

  // The edges from node i to all j point to all k.

  static NPQ_INLINE void find_edge(const PointerTile& t, int i, int j, float* q) {
    const float* column = t.column + at(j, t.padded);
    for (int h = 0; h < t.padded; h += W) {
      Floats sums[1];
      find_pair(t, i, j, h, sums);
      L::store(q + h, L::load(column + h) + sums[0]);
    }
  }

  static NPQ_INLINE void edges_forward(const PointerTile& t, int i) {
    const int N = t.nodes;
    for (int j = 0; j < N; ++j) {
      find_edge(t, i, j, t.scratch);
      float* out = t.logits + (at(i, N) + j) * N;
      int k = 0;
      for (; k + 4 <= N; k += 4) edge_logits<4>(t, t.scratch, k, out);
      for (; k < N; ++k) edge_logits<1>(t, t.scratch, k, out);
    }
  }

  /// K nodes at a time share the loads of q and d.
  template <int K>
  static NPQ_INLINE void edge_logits(const PointerTile& t, const float* q, int k, float* out) {
    const int P = t.padded;
    const float* node = t.node + at(k, P);
    Floats sums[K] = {};
    for (int h = 0; h < P; h += W) {
      const Floats mine = L::load(q + h), d = L::load(t.d + h);
#pragma GCC unroll 4
      for (int n = 0; n < K; ++n) sums[n] += d * L::max(L::load(node + at(n, P) + h), mine);
    }
    for (int n = 0; n < K; ++n) out[k + n] = L::sum(sums[n]) + t.start[k + n];
  }

  static NPQ_INLINE void edges_backward(const PointerTile& t, int i) {
    const int N = t.nodes, P = t.padded;
    float* q = t.scratch;
    fill<W>(t.drow + at(i, P), 0, P);
    for (int j = 0; j < N; ++j) {
      const std::size_t pair = at(i, N) + j;
      float* dq = t.ddense ? t.ddense + pair * P : t.scratch + P;
      find_edge(t, i, j, q);
      fill<W>(dq, 0, P);
      for (int k = 0; k < N; ++k) split_edge(t, q, k, t.dlogits[pair * N + k], dq);
      add<W>(t.drow + at(i, P), dq, P);
      add<W>(t.dcolumn + at(j, P), dq, P);
      for (int k = 0; k < t.channels; ++k) {
        const std::size_t value = pair * t.channels + k;
        add_scaled<W>(t.dc + at(k, P), t.x[value], dq, P);
        if (t.dx) t.dx[value] = wanted(t, k) ? dot<W>(dq, t.c + at(k, P), P) : 0;
      }
    }
  }

  /// The gradient g of an edge's logit for node k.
  static NPQ_INLINE void split_edge(const PointerTile& t, const float* q, int k, float g,
                                    float* dq) {
    if (g == 0) return;
    const int P = t.padded;
    const float* node = t.node + at(k, P);
    float* dnode = t.dnode + at(k, P);
    const Floats scale = L::all(g);
    t.dbias[0] += g;
    for (int h = 0; h < P; h += W) {
      const Floats a = L::load(q + h), b = L::load(node + h);
      const Floats gradient = scale * L::load(t.d + h);
      const Floats of_pair = share_of_first(a, b, gradient);
      L::store(t.dd + h, L::load(t.dd + h) + scale * L::max(a, b));
      L::store(dq + h, L::load(dq + h) + of_pair);
      L::store(dnode + h, L::load(dnode + h) + (gradient - of_pair));
    }
  }
};

template <int W>
constexpr PointerLoops pointer_loops_of() {
  return {.width = W, .forward = PointerLoop<W>::forward, .backward = PointerLoop<W>::backward};
}

}  // namespace
}  // namespace npq::kernels
