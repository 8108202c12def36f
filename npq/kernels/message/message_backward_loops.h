#pragma once
#include "npq/kernels/message/message_rows.h"

// For files of one instruction set alone, see lanes.h.
namespace npq::kernels {
namespace {

template <class Product, int Rows>
class MessageBackward {
 public:
  static std::size_t scratch_floats(int padded, int nodes) {
    return 3 * static_cast<std::size_t>(Rows) * message_stride(padded) +
           Product::scratch_floats(padded, Rows) + static_cast<std::size_t>(Rows) * padded +
           6 * Rows + 4 * static_cast<std::size_t>(padded) + 2 * static_cast<std::size_t>(nodes) +
           2;
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
        of_feature_gradient(d + static_cast<std::size_t>(Rows) * ld +
                            Product::scratch_floats(P, Rows)),
        of_feature(reinterpret_cast<std::int32_t*>(of_feature_gradient + Rows)),
        sender(of_feature + Rows),
        receiver(sender + Rows),
        from_node(receiver + Rows),
        won_receiver(from_node + Rows),
        won_row(won_receiver + Rows),
        alive(won_row + static_cast<std::size_t>(Rows) * P),
        winner(alive + P),
        features(winner + P),
        first_feature(features + P),
        place(first_feature + P + 1) {}

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

  /// Senders that won something that matters, as they come; winner[f] = which of them, or -1; the
  /// features of sender a are features[first_feature[a]], ..., ascending.
  int find_alive(const std::uint16_t* arg, const float* g) {
    const bool memory_too = t.own_memory || t.hears == MessageTile::Hears::Memory;
    const int end = memory_too ? kNobody : t.nodes;
    int count = 0;
    first_feature[0] = 0;
    for (int f = 0; f < t.hidden; ++f) {
      const int s = arg[f];
      winner[f] = -1;
      if (s >= end || g[f] == 0) continue;
      if (place[s] < 0) {
        place[s] = count;
        alive[count++] = s;
        first_feature[count] = 0;
      }
      winner[f] = place[s];
      ++first_feature[place[s] + 1];
    }
    for (int a = 0; a < count; ++a) {
      place[alive[a]] = first_feature[a];  // the next free one
      first_feature[a + 1] += first_feature[a];
    }
    for (int f = 0; f < t.hidden; ++f) {
      if (winner[f] >= 0) features[place[alive[winner[f]]]++] = f;
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
      float* dy = d + static_cast<std::size_t>(row) * ld;
      fill<W>(dy, 0, P);
      const std::int32_t* won = features + first_feature[a];
      add_all_scaled<W>(
          dy, first_feature[a + 1] - first_feature[a],
          [&](int i) NPQ_INLINE_LAMBDA { return g[won[i]]; },
          [&](int i)
              NPQ_INLINE_LAMBDA { return t.w1_transposed + static_cast<std::size_t>(won[i]) * P; },
          P);
    }
    won_receiver[receivers] = r;
    std::int32_t* row_of = won_row + static_cast<std::size_t>(receivers++) * P;
    for (int f = 0; f < t.hidden; ++f) {
      const bool here = winner[f] >= from && winner[f] < to;
      row_of[f] = here ? rows + winner[f] - from : -1;
    }
    rows += to - from;
  }

  void flush() {
    if (t.kept) {
      take_kept();
    } else {
      compute_again();
    }
    for (int f = 0; f < t.hidden; ++f) add_second_layer(f);
    add_all_scaled<W>(
        t.db0, rows, [](int) NPQ_INLINE_LAMBDA { return 1.0f; },
        [this](int i) NPQ_INLINE_LAMBDA { return d + static_cast<std::size_t>(i) * ld; }, P);
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
    pass_on();
    rows = receivers = 0;
  }

  /// y, and dp in place of dy.
  void compute_again() {
    Product::multiply(session, u, ld, rows, P, t.w0, t.b0,
                      [this](int row, int count, int column, auto& sums) NPQ_INLINE_LAMBDA {
                        const std::size_t at = static_cast<std::size_t>(row) * ld + column;
                        for_each_sum(count, sums, [&](int m, int n, Floats sum) NPQ_INLINE_LAMBDA {
                          const std::size_t i = at + m * ld + n * W;
                          L::store(y + i, L::relu(sum));
                          L::store(d + i, L::select(sum > Floats{}, L::load(d + i), Floats{}));
                        });
                      });
  }

  /// The same from what the forward pass kept.
  void take_kept() {
    for (int i = 0; i < rows; ++i) {
      float* row = y + static_cast<std::size_t>(i) * ld;
      float* dp = d + static_cast<std::size_t>(i) * ld;
      __builtin_memcpy(row, kept_row(t, receiver[i], sender[i]), t.hidden * sizeof(float));
      for (int h = t.hidden; h < P; ++h) row[h] = 0;
      for (int h = 0; h < P; h += W) {
        const Floats kept = L::load(row + h);
        L::store(dp + h, L::select(kept > Floats{}, L::load(dp + h), Floats{}));
      }
    }
  }

  /// dW1 and db1 of what won feature f, at most one message per receiver.
  void add_second_layer(int f) {
    int count = 0;
    for (int i = 0; i < receivers; ++i) {
      const int row = won_row[static_cast<std::size_t>(i) * P + f];
      if (row < 0) continue;
      const float g = t.dagg[static_cast<std::size_t>(won_receiver[i]) * t.hidden + f];
      t.db1[f] += g;
      of_feature_gradient[count] = g;
      of_feature[count++] = row;
    }
    add_all_scaled<W>(
        t.dw1_transposed + static_cast<std::size_t>(f) * P, count,
        [this](int i) NPQ_INLINE_LAMBDA { return of_feature_gradient[i]; },
        [this](int i)
            NPQ_INLINE_LAMBDA { return y + static_cast<std::size_t>(of_feature[i]) * ld; },
        P);
  }

  /// The messages' gradients, in y, go to what they were made of.
  void pass_on() {
    int count = 0;  // messages from nodes
    for (int i = 0; i < rows; ++i) {
      const float* dx = y + static_cast<std::size_t>(i) * ld;
      if (sender[i] < t.nodes) {
        from_node[count++] = i;
        add<W>(t.dsend + static_cast<std::size_t>(sender[i]) * P, dx, P);
      } else {
        const int row = memory_row(t, receiver[i], sender[i]);
        add<W>(t.dmemory + static_cast<std::size_t>(row) * P, dx, P);
      }
    }
    for (int i = 0; i < count;) {
      const int r = receiver[from_node[i]], begin = i;
      while (i < count && receiver[from_node[i]] == r) ++i;
      add_all_scaled<W>(
          t.drecv + static_cast<std::size_t>(r) * P, i - begin,
          [](int) NPQ_INLINE_LAMBDA { return 1.0f; },
          [&](int k)
              NPQ_INLINE_LAMBDA { return y + static_cast<std::size_t>(from_node[begin + k]) * ld; },
          P);
    }
    for (int k = 0; k < t.channels; ++k) pass_on_channel(k, count);
  }

  void pass_on_channel(int k, int count) {
    const auto value = [&](int i) NPQ_INLINE_LAMBDA {
      return pair_values(t, sender[from_node[i]], receiver[from_node[i]]) + k;
    };
    const auto dx = [&](int i) NPQ_INLINE_LAMBDA {
      return y + static_cast<std::size_t>(from_node[i]) * ld;
    };
    const float* c = t.c + static_cast<std::size_t>(k) * P;
    add_all_scaled<W>(
        t.dc + static_cast<std::size_t>(k) * P, count,
        [&](int i) NPQ_INLINE_LAMBDA { return *value(i); }, dx, P);
    if (!t.dx || (t.x_channels && !t.x_channels[k])) return;
    for (int i = 0; i < count; ++i) t.dx[value(i) - t.x] = dot<W>(dx(i), c, P);
  }

  const MessageTile& t;
  const int P, ld;
  float *u, *y, *d;  // [Rows, ld]
  typename Product::Session session;
  float* of_feature_gradient;               // [Rows], of one feature
  std::int32_t* of_feature;                 // [Rows], the messages that won it
  std::int32_t *sender, *receiver;          // [Rows]
  std::int32_t* from_node;                  // [Rows], messages that no memory sent
  std::int32_t* won_receiver;               // [Rows], whose messages these are
  std::int32_t* won_row;                    // [Rows, P]: the message that won, -1
  std::int32_t *alive, *winner, *features;  // [P], of one receiver
  std::int32_t* first_feature;              // [P + 1]
  std::int32_t* place;                      // [2N + 1]: sender -> its place, -1
  int rows = 0, receivers = 0;
};

}  // namespace
}  // namespace npq::kernels
