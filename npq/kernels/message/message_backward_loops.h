#pragma once
#include "npq/kernels/message/message_rows.h"

// For files of one instruction set alone, see lanes.h.
namespace npq::kernels {
namespace {

/// Rows: how many messages are in the making at a time, a multiple of Product::kRows: the sums of
/// the weights' gradients are fetched and stored once for so many.
template <class Product, int Rows>
class MessageBackward {
 public:
  static std::size_t scratch_floats(int padded, int nodes, int channels) {
    return 3 * static_cast<std::size_t>(Rows) * message_stride(padded) +
           Product::scratch_floats(padded, Rows) + static_cast<std::size_t>(Rows) * padded +
           static_cast<std::size_t>(Rows) * channels * W + channels +
           6 * static_cast<std::size_t>(padded) + 2 * static_cast<std::size_t>(nodes) + 3;
  }

  static void run(const MessageTile& tile) { MessageBackward(tile).run_all(); }

 private:
  using L = Lanes<Product::kLanes>;
  using Floats = typename L::Floats;
  static constexpr int W = Product::kLanes;

  explicit MessageBackward(const MessageTile& tile)
      : t(tile),
        P(tile.padded),
        ld(message_stride(P)),
        u(tile.scratch),
        y(u + at(Rows, ld)),
        d(y + at(Rows, ld)),
        session(d + at(Rows, ld)),
        dots(d + at(Rows, ld) + Product::scratch_floats(P, Rows)),
        nowhere(dots + at(Rows, t.channels * W)),
        nothing(nowhere + P),
        won_feature(reinterpret_cast<std::int32_t*>(nothing + t.channels)),
        feature(won_feature + at(Rows, P)),
        winner(feature + P),
        alive(winner + P),
        first(alive + P + 1),
        next(first + P + 1),
        place(next + P + 1) {}

  void run_all() {
    for (int s = 0; s < 2 * t.nodes; ++s) place[s] = -1;
    for (int k = 0; k < t.channels; ++k) nothing[k] = 0;
    for (int r = t.first; r < t.last; ++r) {
      if (t.drecv) fill<W>(t.drecv + at(r, P), 0, P);
      const int count = find_alive(t.arg + at(r, t.hidden), t.dagg + at(r, t.hidden));
      for (int from = 0; from < count;) {
        const int to = count - from < Rows - rows ? count : from + Rows - rows;
        add_rows(r, from, to);
        from = to;
        if (rows == Rows) flush();
      }
    }
    if (rows > 0) flush();
  }

  /// Senders that won something that matters, as they come; what sender a won is feature[first[a]],
  /// ..., ascending. Adds to db1.
  int find_alive(const std::uint16_t* arg, const float* g) {
    const bool memory_too = t.own_memory || t.hears == MessageTile::Hears::Memory;
    const int end = memory_too ? kNobody : t.nodes, features = t.hidden;
    std::int32_t *begin = first, *who = alive, *where = place, *won_by = winner;
    int count = 0;
    for (int a = 0; a <= features; ++a) begin[a] = 0;
    for (int f = 0; f < features; ++f) {
      const int s = arg[f];
      if (s >= end || g[f] == 0) {
        won_by[f] = -1;
        continue;
      }
      // No branch: whether a sender is a new one cannot be foreseen.
      const int known = where[s], a = known < 0 ? count : known;
      who[count] = s;
      count += known < 0 ? 1 : 0;
      where[s] = won_by[f] = a;
      ++begin[a];
    }
    for (int f = 0; f < features; ++f) t.db1[f] += won_by[f] < 0 ? 0 : g[f];
    for (int a = 0, sum = 0; a <= count; ++a) {
      const int won = begin[a];
      begin[a] = next[a] = sum;
      sum += won;
    }
    for (int f = 0; f < features; ++f) {
      if (won_by[f] >= 0) feature[next[won_by[f]]++] = f;
    }
    for (int a = 0; a < count; ++a) where[who[a]] = -1;
    return count;
  }

  /// Receiver r's alive messages [from, to): u, and where everything is.
  void add_rows(int r, int from, int to) {
    int won = rows > 0 ? won_end[rows - 1] : 0;
    __builtin_memcpy(won_feature + won, feature + first[from],
                     (first[to] - first[from]) * sizeof(std::int32_t));
    for (int a = from; a < to; ++a, ++rows) {
      const int s = alive[a];
      message_input<W>(t, r, s, u + at(rows, ld));
      won += first[a + 1] - first[a];
      won_end[rows] = won;
      gradient[rows] = t.dagg + at(r, t.hidden);
      middle[rows] = t.kept ? kept_row(t, r, s) : y + at(rows, ld);
      for (int h = 0; t.kept && h < P; h += 16) __builtin_prefetch(middle[rows] + h);
      const bool node = s < t.nodes;
      values[rows] = node ? pair_values(t, s, r) : nothing;
      to_sender[rows] = node ? t.dsend + at(s, P) : t.dmemory + at(memory_row(t, r, s), P);
      to_receiver[rows] = node ? t.drecv + at(r, P) : nowhere;
    }
  }

  void flush() {
    if (!t.kept) {
      Product::multiply(session, u, ld, rows, P, t.w0, t.b0,
                        [this](int row, int count, int column, auto& sums) NPQ_INLINE_LAMBDA {
                          store_relu<L>(sums, count, y + at(row, ld) + column, ld);
                        });
    }
    constexpr int V = W / 2;  // 3 V vectors stay in registers
    int column = 0;
    for (; column + V * W <= P; column += V * W) second_layer<V>(column);
    for (; column < P; column += 2 * W) second_layer<2>(column);
    Product::add_outer(session, u, d, ld, rows, P, t.dw0);
    Product::multiply(session, d, ld, rows, P, t.w0_transposed, nullptr,
                      [this](int row, int count, int column, auto& sums)
                          NPQ_INLINE_LAMBDA { pass_on(sums, row, count, column); });
    for (int k = 0; k < t.channels; ++k) {
      for (int i = 0; i < rows && wants(k); ++i) {
        if (values[i] != nothing)
          t.dx[values[i] + k - t.x] = L::sum(L::load(dots + at(i * t.channels + k, W)));
      }
    }
    rows = 0;
  }

  /// Columns [column, column + V * W) of dp, dW1 and db0.
  template <int V>
  void second_layer(int column) {
    const float* w1 = t.w1_transposed + column;
    float *dw1 = t.dw1_transposed + column, *dp = d + column;
    const std::int32_t* f = won_feature;
    const int length = P, stride = ld, count = rows;
    Floats bias[V];
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) bias[v] = L::load(t.db0 + column + v * W);
    for (int row = 0; row < count; ++row, dp += stride) {
      Floats kept[V], dy[V];
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) {
        kept[v] = L::load(middle[row] + column + v * W);
        dy[v] = Floats{};
      }
      const float* g = gradient[row];
      for (const std::int32_t* end = won_feature + won_end[row]; f < end; ++f) {
        const Floats scale = L::all(g[*f]);
        const std::size_t from = at(*f, length);
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) {
          dy[v] += scale * L::load(w1 + from + v * W);
          L::store(dw1 + from + v * W, L::load(dw1 + from + v * W) + scale * kept[v]);
        }
      }
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) {
        dy[v] = L::select(kept[v] > Floats{}, dy[v], Floats{});
        L::store(dp + v * W, dy[v]);
        bias[v] += dy[v];
      }
    }
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) L::store(t.db0 + column + v * W, bias[v]);
  }

  /// The gradients of messages `row`, ... go to what they were made of.
  template <int M, int N>
  NPQ_INLINE void pass_on(Floats (&sums)[M][N], int row, int count, int column) {
    const float* in = u + at(row, ld) + column;
    for_each_sum(count, sums, [&](int m, int n, Floats& sum) NPQ_INLINE_LAMBDA {
      sum = L::select(L::load(in + m * ld + n * W) > Floats{}, sum, Floats{});
      float* to = to_sender[row + m] + column + n * W;
      L::store(to, L::load(to) + sum);
    });
#pragma GCC unroll 4
    for (int n = 0; n < N; ++n) {
      float* to = to_receiver[row] + column + n * W;
      Floats total = L::load(to);
#pragma GCC unroll 16
      for (int m = 0; m < M; ++m) {
        if (m >= count) break;
        if (m > 0 && to_receiver[row + m] != to_receiver[row + m - 1]) {
          L::store(to, total);
          to = to_receiver[row + m] + column + n * W;
          total = L::load(to);
        }
        total += sums[m][n];
      }
      L::store(to, total);
    }
    for (int k = 0; k < t.channels; ++k) {
      float* dc = t.dc + at(k, P) + column;
      Floats totals[N], c[N];
#pragma GCC unroll 4
      for (int n = 0; n < N; ++n) totals[n] = L::load(dc + n * W);
      for_each_sum(count, sums, [&](int m, int n, Floats sum) NPQ_INLINE_LAMBDA {
        totals[n] += L::all(values[row + m][k]) * sum;
      });
#pragma GCC unroll 4
      for (int n = 0; n < N; ++n) L::store(dc + n * W, totals[n]);
      if (!wants(k)) continue;
#pragma GCC unroll 4
      for (int n = 0; n < N; ++n) c[n] = L::load(t.c + at(k, P) + column + n * W);
#pragma GCC unroll 16
      for (int m = 0; m < M; ++m) {
        if (m >= count) break;
        float* dot = dots + at((row + m) * t.channels + k, W);
        Floats part = column > 0 ? L::load(dot) : Floats{};
#pragma GCC unroll 4
        for (int n = 0; n < N; ++n) part += sums[m][n] * c[n];
        L::store(dot, part);
      }
    }
  }

  /// Whether anybody asks for the gradient of channel k of the pairs.
  bool wants(int k) const { return t.dx && (!t.x_channels || t.x_channels[k]); }

  const MessageTile& t;
  const int P, ld;
  float *u, *y, *d;  // [Rows, ld]; y where it is not kept; d is dp
  typename Product::Session session;
  float* dots;                          // [Rows, R, W]: of dx with the rows of C, lane by lane
  float *nowhere, *nothing;             // [P], [R]: for messages of the memory, which have no pair
  std::int32_t *won_feature, *feature;  // [Rows, P] of all rows; [P] of one receiver
  std::int32_t *winner, *alive, *first, *next;  // [P], then [P + 1], of one receiver
  std::int32_t* place;                          // [2N]: sender -> its place, -1
  int rows = 0;
  int won_end[Rows];                           // row i won [won_end[i - 1], won_end[i])
  const float* gradient[Rows];                 // dagg of the row's receiver
  const float *middle[Rows], *values[Rows];    // y, and the numbers of the pair
  float *to_sender[Rows], *to_receiver[Rows];  // where dx is added to
};

}  // namespace
}  // namespace npq::kernels
