#pragma once
#include "npq/kernels/message/message_forward_loops.h"

// For files of one instruction set alone, see lanes.h.
namespace npq::kernels {
namespace {

template <class Product, int Rows>
class MessageBackward {
 public:
  static std::size_t scratch_floats(int padded, int nodes) {
    return 3 * static_cast<std::size_t>(Rows) * message_stride(padded) +
           Product::scratch_floats(padded, Rows) + 2 * Rows +
           3 * static_cast<std::size_t>(Rows) * padded + 2 * static_cast<std::size_t>(padded) +
           2 * static_cast<std::size_t>(nodes) + 1;
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
        y(u + static_cast<std::size_t>(Rows) * ld),
        d(y + static_cast<std::size_t>(Rows) * ld),
        session(d + static_cast<std::size_t>(Rows) * ld),
        sender(reinterpret_cast<std::int32_t*>(d + static_cast<std::size_t>(Rows) * ld +
                                               Product::scratch_floats(P, Rows))),
        receiver(sender + Rows),
        win_row(receiver + Rows),
        win_feature(win_row + static_cast<std::size_t>(Rows) * P),
        win_gradient(reinterpret_cast<float*>(win_feature + static_cast<std::size_t>(Rows) * P)),
        alive(reinterpret_cast<std::int32_t*>(win_gradient + static_cast<std::size_t>(Rows) * P)),
        winner(alive + P),
        place(winner + P) {}

  void run_all() {
    for (int s = 0; s <= 2 * t.nodes; ++s) place[s] = -1;
    for (int r = t.first; r < t.last; ++r) {
      const float* g = t.dagg + static_cast<std::size_t>(r) * t.hidden;
      if (t.drecv) fill<W>(t.drecv + static_cast<std::size_t>(r) * P, 0, P);
      const int count = find_alive(t.arg + static_cast<std::size_t>(r) * t.hidden, g);
      for (int from = 0; from < count;) {
        const int room = Rows - rows;
        const int to = count - from < room ? count : from + room;
        add_rows(r, from, to, g);
        from = to;
        if (rows == Rows) flush();
      }
    }
    if (rows > 0) flush();
  }

  /// Senders that won something that matters, as they come; winner[f] = which of them, or -1.
  int find_alive(const std::uint16_t* arg, const float* g) {
    const bool memory_too = t.own_memory || t.hears == MessageTile::Hears::Memory;
    const int end = memory_too ? kNoSender : t.nodes;
    int count = 0;
    for (int f = 0; f < t.hidden; ++f) {
      const int s = arg[f];
      winner[f] = -1;
      if (s >= end || g[f] == 0) continue;
      if (place[s] < 0) {
        place[s] = count;
        alive[count++] = s;
      }
      winner[f] = place[s];
    }
    for (int a = 0; a < count; ++a) place[alive[a]] = -1;
    return count;
  }

  /// u and dy of receiver r's alive messages [from, to).
  void add_rows(int r, int from, int to, const float* g) {
    for (int a = from; a < to; ++a) {
      const int row = rows + a - from;
      sender[row] = alive[a];
      receiver[row] = r;
      message_input<W>(t, r, alive[a], u + static_cast<std::size_t>(row) * ld);
      fill<W>(d + static_cast<std::size_t>(row) * ld, 0, P);
    }
    for (int f = 0; f < t.hidden; ++f) {
      if (winner[f] < from || winner[f] >= to) continue;
      const int row = rows + winner[f] - from;
      add_scaled<W>(d + static_cast<std::size_t>(row) * ld, g[f],
                    t.w1_transposed + static_cast<std::size_t>(f) * P, P);
      win_row[wins] = row;
      win_feature[wins] = f;
      win_gradient[wins++] = g[f];
    }
    rows += to - from;
  }

  void flush() {
    // y, and dp in place of dy.
    Product::multiply(session, u, ld, rows, P, t.w0, t.b0,
                      [this](int row, int count, int column, auto& sums) NPQ_INLINE_LAMBDA {
                        const std::size_t at = static_cast<std::size_t>(row) * ld + column;
                        for_each_sum(count, sums, [&](int m, int n, Floats sum) NPQ_INLINE_LAMBDA {
                          const std::size_t i = at + m * ld + n * W;
                          L::store(y + i, L::relu(sum));
                          L::store(d + i, L::select(sum > Floats{}, L::load(d + i), Floats{}));
                        });
                      });
    for (int i = 0; i < wins; ++i) {
      const int f = win_feature[i];
      t.db1[f] += win_gradient[i];
      add_scaled<W>(t.dw1_transposed + static_cast<std::size_t>(f) * P, win_gradient[i],
                    y + static_cast<std::size_t>(win_row[i]) * ld, P);
    }
    for (int i = 0; i < rows; ++i) add<W>(t.db0, d + static_cast<std::size_t>(i) * ld, P);
    Product::add_outer(session, u, d, ld, rows, P, t.dw0);
    // dx takes y's place.
    Product::multiply(session, d, ld, rows, P, t.w0_transposed, nullptr,
                      [this](int row, int count, int column, auto& sums) NPQ_INLINE_LAMBDA {
                        const std::size_t at = static_cast<std::size_t>(row) * ld + column;
                        for_each_sum(count, sums, [&](int m, int n, Floats sum) NPQ_INLINE_LAMBDA {
                          const std::size_t i = at + m * ld + n * W;
                          L::store(y + i, L::select(L::load(u + i) > Floats{}, sum, Floats{}));
                        });
                      });
    for (int i = 0; i < rows; ++i)
      pass_on(receiver[i], sender[i], y + static_cast<std::size_t>(i) * ld);
    rows = wins = 0;
  }

  /// A message's gradient goes to what it was made of.
  void pass_on(int r, int s, const float* dx) {
    if (s >= t.nodes) {
      add<W>(t.dmemory + static_cast<std::size_t>(memory_row(t, r, s)) * P, dx, P);
      return;
    }
    add<W>(t.drecv + static_cast<std::size_t>(r) * P, dx, P);
    add<W>(t.dsend + static_cast<std::size_t>(s) * P, dx, P);
    const float* values = pair_values(t, s, r);
    for (int k = 0; k < t.channels; ++k) {
      add_scaled<W>(t.dc + static_cast<std::size_t>(k) * P, values[k], dx, P);
      if (t.dx && (!t.x_channels || t.x_channels[k]))
        t.dx[(values - t.x) + k] = dot<W>(dx, t.c + static_cast<std::size_t>(k) * P, P);
    }
  }

  const MessageTile& t;
  const int P, ld;
  float *u, *y, *d;  // [Rows, ld]
  typename Product::Session session;
  std::int32_t *sender, *receiver;      // [Rows]
  std::int32_t *win_row, *win_feature;  // which message won which feature
  float* win_gradient;
  std::int32_t *alive, *winner;  // of one receiver
  std::int32_t* place;           // [2N + 1]: sender -> its place in alive, -1
  int rows = 0, wins = 0;
};

}  // namespace
}  // namespace npq::kernels
