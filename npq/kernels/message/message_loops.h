#pragma once
#include "npq/kernels/lanes/product.h"
#include "npq/kernels/lanes/tile_product.h"
#include "npq/kernels/message/message_backward_loops.h"

// For files of one instruction set alone, see lanes.h.
namespace npq::kernels {
namespace {

/// Product: how matrices are multiplied. Rows: how many messages are in the making at a time, a
/// multiple of Product::kRows: the fewer, the nearer the cache; the more, the less overhead.
template <class Product, int Rows>
class MessageForward {
 public:
  static std::size_t scratch_floats(int padded) {
    return 2 * static_cast<std::size_t>(Rows) * message_stride(padded) +
           2 * static_cast<std::size_t>(Rows + 1) * padded + 2 * Rows +
           Product::scratch_floats(padded, Rows);
  }

  static void run(const MessageTile& tile) { MessageForward(tile).run_all(); }

 private:
  using L = Lanes<Product::kLanes>;
  using Floats = typename L::Floats;
  using Ints = typename L::Ints;
  static constexpr int W = Product::kLanes;

  explicit MessageForward(const MessageTile& tile)
      : t(tile),
        P(tile.padded),
        ld(message_stride(P)),
        u(tile.scratch),
        y(u + static_cast<std::size_t>(Rows) * ld),
        best(y + static_cast<std::size_t>(Rows) * ld),
        who(reinterpret_cast<std::int32_t*>(best + static_cast<std::size_t>(Rows + 1) * P)),
        sender(who + static_cast<std::size_t>(Rows + 1) * P),
        place(sender + Rows),
        session(reinterpret_cast<float*>(place + Rows)),
        base(tile.first) {}

  void run_all() {
    for (int r = t.first; r < t.last; ++r) {
      if (r - base == Rows) flush(r);  // receivers that hear nobody fill no rows
      start(r);
      const int count = messages_to(t, r);
      for (int i = 0; i < count; ++i) {
        sender[rows] = sender_of(t, r, i);
        place[rows] = r - base;
        message_input<W>(t, r, sender[rows], u + static_cast<std::size_t>(rows) * ld);
        if (++rows == Rows) flush(r);
      }
    }
    flush(t.last);
  }

  void start(int r) {
    const std::size_t at = static_cast<std::size_t>(r - base) * P;
    fill<W>(best + at, floor_of(t, r), P);
    for (int h = 0; h < P; ++h) who[at + h] = kNobody;
  }

  /// Computes the messages at hand; receivers before `open` are complete.
  void flush(int open) {
    if (rows > 0) compute();
    rows = 0;
    for (int r = base; r < open; ++r) {
      const std::size_t at = static_cast<std::size_t>(r - base) * P;
      finish(r, best + at, who + at);
    }
    if (open != base && open < t.last) {
      const std::size_t at = static_cast<std::size_t>(open - base) * P;
      __builtin_memcpy(best, best + at, P * sizeof(float));
      __builtin_memcpy(who, who + at, P * sizeof(std::int32_t));
    }
    base = open;
  }

  /// What is kept is computed where it is kept, whole blocks at least: the product reads whole ones.
  void compute() {
    const int direct = t.kept ? rows / Product::kRows * Product::kRows : 0;
    const auto kept = [this](int row) { return kept_row(t, base + place[row], sender[row]); };
    if (direct > 0) layers(0, direct, kept(0), t.kept_stride);
    if (direct == rows) return;
    layers(direct, rows - direct, y, ld);
    for (int i = direct; t.kept && i < rows; ++i)
      __builtin_memcpy(kept(i), y + at(i - direct, ld), P * sizeof(float));
  }

  /// Of messages first, first + 1, ...; y of these goes to `middle`, row by row.
  void layers(int first, int messages, float* middle, int stride) {
    Product::multiply(session, u + at(first, ld), ld, messages, P, t.w0, t.b0,
                      [&](int row, int count, int column, auto& sums) NPQ_INLINE_LAMBDA {
                        store_relu<L>(sums, count, middle + at(row, stride) + column, stride);
                      });
    Product::multiply(session, middle, stride, messages, P, t.w1, t.b1,
                      [&](int row, int count, int column, auto& sums) NPQ_INLINE_LAMBDA {
                        keep_largest(sums, count, sender + first + row, place + first + row,
                                     column);
                      });
  }

  /// Senders ascend, so the lowest of equals stays. NaN is taken: it must not go unnoticed.
  template <int M, int N>
  NPQ_INLINE void keep_largest(Floats (&sums)[M][N], int count, const std::int32_t* from,
                               const std::int32_t* to, int column) {
#pragma GCC unroll 4
    for (int n = 0; n < N; ++n) {
      const int at = column + n * W;
      Floats top = L::load(best + to[0] * P + at);
      Ints by = L::load(who + to[0] * P + at);
#pragma GCC unroll 16
      for (int m = 0; m < M; ++m) {
        if (m >= count) break;
        if (m > 0 && to[m] != to[m - 1]) {
          L::store(best + to[m - 1] * P + at, top);
          L::store(who + to[m - 1] * P + at, by);
          top = L::load(best + to[m] * P + at);
          by = L::load(who + to[m] * P + at);
        }
        const Floats sum = sums[m][n];
        const Ints take = (sum > top) | L::is_nan(sum);
        top = L::select(take, sum, top);
        by = L::select(take, L::all(from[m]), by);
      }
      L::store(best + to[count - 1] * P + at, top);
      L::store(who + to[count - 1] * P + at, by);
    }
  }

  void finish(int r, float* top, std::int32_t* by) {
    if (t.hears == MessageTile::Hears::Memory) {
      __builtin_memcpy(t.memory_agg, top, P * sizeof(float));
      __builtin_memcpy(t.memory_arg, by, P * sizeof(std::int32_t));
      return;
    }
    if (t.best) {
      for (int h = 0; h < P; h += W) {
        const Floats mine = L::load(top + h), shared = L::load(t.best + h);
        const Ints take = (shared > mine) | L::is_nan(shared);
        L::store(top + h, L::select(take, shared, mine));
        L::store(by + h, L::select(take, L::load(t.best_arg + h), L::load(by + h)));
      }
    }
    float* agg = t.agg + static_cast<std::size_t>(r) * t.hidden;
    std::uint16_t* arg = t.arg + static_cast<std::size_t>(r) * t.hidden;
    __builtin_memcpy(agg, top, t.hidden * sizeof(float));
    for (int h = 0; h < t.hidden; ++h) arg[h] = static_cast<std::uint16_t>(by[h]);
  }

  const MessageTile& t;
  const int P, ld;
  float *u, *y;          // [Rows, ld]
  float* best;           // [Rows + 1, P] of receivers base, base + 1, ...
  std::int32_t* who;     // [Rows + 1, P]
  std::int32_t* sender;  // [Rows]
  std::int32_t* place;   // [Rows], receiver - base
  typename Product::Session session;
  int base, rows = 0;
};

template <class Product, int ForwardRows, int BackwardRows>
constexpr MessageLoops message_loops_of() {
  using Forward = MessageForward<Product, ForwardRows>;
  using Backward = MessageBackward<Product, BackwardRows>;
  static_assert(Product::kWidth % (2 * Product::kLanes) == 0);  // loops take two vectors at a time
  static_assert(ForwardRows % Product::kRows == 0 && BackwardRows % Product::kRows == 0);
  return {.width = Product::kWidth,
          .pack = Product::pack,
          .forward_scratch = Forward::scratch_floats,
          .backward_scratch = Backward::scratch_floats,
          .forward = Forward::run,
          .backward = Backward::run};
}

}  // namespace
}  // namespace npq::kernels
