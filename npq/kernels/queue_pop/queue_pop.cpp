#include "npq/kernels/queue_pop/queue_pop.h"

#include <algorithm>
#include <vector>

#include "npq/kernels/calls.h"
#include "npq/kernels/gradient_sums.h"
#include "npq/kernels/levels.h"

namespace npq::kernels {
namespace {

using Q = QueueChoices;

/// One graph's tile in the thread's scratch memory: only slots that take part, side by side.
class Graph {
 public:
  Graph(const QueuePopLoops& loops, const QueuePopShape& shape, const QueuePopInputs<float>& in,
        int b, bool backward)
      : shape_(shape), in_(in), b_(b) {
    for (int j = 0; j < shape.slots; ++j) {
      if (!shape.mask_second_softmax || in.occupied[slot(j)]) slots_.push_back(j);
    }
    tile.shape = shape;
    tile.count = static_cast<int>(slots_.size());
    tile.padded = round_up(tile.count, loops.width);
    tile.value_width = round_up(shape.width, loops.width);
    if (slots_.empty()) return;
    laid_out(kForLoops, [&](Arena& arena) { lay_out(arena, backward); });
    fill_in(backward);
  }

  bool empty() const { return slots_.empty(); }
  const std::vector<int>& slots() const { return slots_; }
  std::size_t slot(int j) const { return static_cast<std::size_t>(b_) * shape_.slots + j; }
  std::size_t node(int i) const { return static_cast<std::size_t>(b_) * shape_.nodes + i; }

  QueuePopTile tile{};
  float *held, *s, *v, *lowered, *dvalue, *dtotal;  // the tile's inputs, to be filled in

 private:
  void lay_out(Arena& arena, bool backward) {
    const std::size_t N = shape_.nodes, K = shape_.heads, P = tile.padded, G = tile.value_width;
    const std::size_t n = tile.count;
    held = arena.take(K * P), s = arena.take(P), v = arena.take(n * G), lowered = arena.take(P);
    tile.attention = arena.take(N * P), tile.shared = arena.take(P);
    tile.total = arena.take(P), tile.scale = arena.take(P);
    tile.best = reinterpret_cast<std::int32_t*>(arena.take(N));
    tile.heads = arena.take(2 * K * P), tile.value = arena.take(N * G),
    tile.row = arena.take(2 * P);
    if (!backward) return;
    dvalue = arena.take(N * G), dtotal = arena.take(P);
    tile.dattention = arena.take(N * P), tile.dasked = arena.take(N * K);
    tile.dstrength = arena.take(N), tile.dheld = arena.take(K * P);
    tile.dv = arena.take(n * G), tile.ds = arena.take(P), tile.dcombine = arena.take(K);
  }

  void fill_in(bool backward) {
    const int K = shape_.heads, P = tile.padded, G = tile.value_width, F = shape_.width;
    std::fill_n(held, static_cast<std::size_t>(K) * P, 0.0f);
    std::fill_n(s, P, 0.0f), std::fill_n(lowered, P, 0.0f);
    for (int n = 0; n < tile.count; ++n) {
      const std::size_t from = slot(slots_[n]);
      for (int h = 0; h < K; ++h)
        held[static_cast<std::size_t>(h) * P + n] = in_.held[from * K + h];
      if (shape_.pop != Q::Pop::Keep) s[n] = in_.s[from];
      lowered[n] = in_.occupied[from] ? 0.0f : static_cast<float>(kExcluded);
      pad_rows(in_.v + from * F, 1, F, G, v + static_cast<std::size_t>(n) * G);
    }
    tile.asked = in_.asked + node(0) * K;
    tile.held = held, tile.s = s, tile.v = v, tile.combine = in_.combine;
    if (shape_.pop != Q::Pop::Keep) tile.strength = in_.strength + node(0);
    tile.lowered = shape_.mask_second_softmax ? nullptr : lowered;
    tile.real = in_.real ? in_.real + node(0) : nullptr;
    if (backward) std::fill_n(tile.dcombine, K, 0.0f);
  }

  const QueuePopShape& shape_;
  const QueuePopInputs<float>& in_;
  int b_;
  std::vector<int> slots_;
};

}  // namespace

void queue_pop_forward_with(const QueuePopLoops& loops, const QueuePopShape& shape,
                            const QueuePopInputs<float>& in, float* value, float* total,
                            int threads) {
  const std::size_t rows = static_cast<std::size_t>(shape.nodes) * shape.width;
  run_jobs(threads, shape.batch, [&](int b) {
    Graph graph(loops, shape, in, b, false);
    if (shape.pop != Q::Pop::Keep) std::fill_n(total + graph.slot(0), shape.slots, 0.0f);
    if (graph.empty()) {
      std::fill_n(value + b * rows, rows, 0.0f);
      return;
    }
    loops.forward(graph.tile);
    unpad_rows(graph.tile.value, shape.nodes, shape.width, graph.tile.value_width,
               value + b * rows);
    for (int n = 0; n < graph.tile.count && shape.pop != Q::Pop::Keep; ++n)
      total[graph.slot(graph.slots()[n])] = graph.tile.total[n];
  });
}

void queue_pop_backward_with(const QueuePopLoops& loops, const QueuePopShape& shape,
                             const QueuePopInputs<float>& in, const float* dvalue,
                             const float* dtotal, const QueuePopGradients<float>& out,
                             int threads) {
  const int N = shape.nodes, S = shape.slots, K = shape.heads, F = shape.width;
  const std::size_t rows = static_cast<std::size_t>(N) * F;
  const auto combine =
      laid_out(kForSums, [&](Arena& arena) { return JobSums(arena, shape.batch, K); });

  run_jobs(threads, shape.batch, [&](int b) {
    Graph graph(loops, shape, in, b, true);
    combine.clear(b);
    const std::size_t node = graph.node(0), slot = graph.slot(0);
    if (out.asked) std::fill_n(out.asked + node * K, static_cast<std::size_t>(N) * K, 0.0f);
    if (out.held) std::fill_n(out.held + slot * K, static_cast<std::size_t>(S) * K, 0.0f);
    if (out.strength && shape.pop != Q::Pop::Keep) std::fill_n(out.strength + node, N, 0.0f);
    if (out.s && shape.pop != Q::Pop::Keep) std::fill_n(out.s + slot, S, 0.0f);
    if (out.v) std::fill_n(out.v + slot * F, static_cast<std::size_t>(S) * F, 0.0f);
    if (graph.empty()) return;

    QueuePopTile& t = graph.tile;
    pad_rows(dvalue + b * rows, N, F, t.value_width, graph.dvalue);
    t.dvalue = graph.dvalue;
    if (dtotal) {
      for (int n = 0; n < t.count; ++n) graph.dtotal[n] = dtotal[graph.slot(graph.slots()[n])];
      t.dtotal = graph.dtotal;
    }
    loops.forward(t);
    loops.backward(t);

    std::copy_n(t.dcombine, K, combine.of(b));
    if (out.asked) std::copy_n(t.dasked, static_cast<std::size_t>(N) * K, out.asked + node * K);
    if (out.strength && shape.pop != Q::Pop::Keep) std::copy_n(t.dstrength, N, out.strength + node);
    for (int n = 0; n < t.count; ++n) {
      const std::size_t to = graph.slot(graph.slots()[n]);
      for (int h = 0; out.held && h < K; ++h)
        out.held[to * K + h] = t.dheld[static_cast<std::size_t>(h) * t.padded + n];
      if (out.s && shape.pop != Q::Pop::Keep) out.s[to] = t.ds[n];
      if (out.v) std::copy_n(t.dv + static_cast<std::size_t>(n) * t.value_width, F, out.v + to * F);
    }
  });
  if (out.combine && !shape.single_head_skip && shape.batch > 0)
    std::copy_n(combine.add_up(), K, out.combine);
}

void queue_pop_forward(const QueuePopShape& shape, const QueuePopInputs<float>& in, float* value,
                       float* total, int threads) {
  count_call(Kernel::QueuePop);
  if (const auto* loops = choose_loops(kQueuePopAvx2, kQueuePopAvx512))
    return queue_pop_forward_with(*loops, shape, in, value, total, threads);
  queue_pop_forward_reference(shape, in, value, total);
}

void queue_pop_backward(const QueuePopShape& shape, const QueuePopInputs<float>& in,
                        const float* dvalue, const float* dtotal,
                        const QueuePopGradients<float>& gradients, int threads) {
  count_call(Kernel::QueuePopBackward);
  if (const auto* loops = choose_loops(kQueuePopAvx2, kQueuePopAvx512))
    return queue_pop_backward_with(*loops, shape, in, dvalue, dtotal, gradients, threads);
  queue_pop_backward_reference(shape, in, dvalue, dtotal, gradients);
}

}  // namespace npq::kernels
