#include "npq/kernels/pointer/pointer.h"

#include <algorithm>
#include <limits>

#include "npq/kernels/calls.h"
#include "npq/kernels/gradient_sums.h"
#include "npq/kernels/levels.h"

namespace npq::kernels {
namespace {

using Of = PointerShape::Of;

/// A call's inputs with padded rows.
struct Padded {
  Padded(Arena& arena, const PointerShape& s, const PointerInputs<float>& in, int padded)
      : shape(s), in(in), padded(padded) {
    const std::size_t rows = static_cast<std::size_t>(s.batch) * s.nodes;
    node = padded_rows(arena, in.node, rows, s.hidden, padded);
    row = padded_rows(arena, in.row, rows, s.hidden, padded);
    column = in.column ? padded_rows(arena, in.column, rows, s.hidden, padded) : nullptr;
    c = padded_rows(arena, in.c, s.channels, s.hidden, padded);
    dense = in.dense ? padded_rows(arena, in.dense, rows * s.nodes, s.hidden, padded) : nullptr;
    d = padded_rows(arena, in.d, 1, s.hidden, padded);
    start = arena.take(rows);
  }

  /// The loops' maximum passes over a NaN in `node`; 0 * node does not. (A sum of all of these would
  /// wait for every addition.)
  void set_start() const {
    const std::size_t rows = static_cast<std::size_t>(shape.batch) * shape.nodes;
    for (std::size_t i = 0; i < rows; ++i) {
      const float* mine = in.node + i * shape.hidden;
      int numbers = 1;
      for (int h = 0; h < shape.hidden; ++h) numbers &= 0 * mine[h] == 0 ? 1 : 0;
      start[i] = numbers ? in.bias[0] : std::numeric_limits<float>::quiet_NaN();
    }
  }

  std::size_t logits_of_graph() const {
    const std::size_t N = shape.nodes;
    return shape.of == Of::Edges ? N * N * N : N * N;
  }

  PointerTile tile(int b, Range rows) const {
    const std::size_t first = static_cast<std::size_t>(b) * shape.nodes;
    const std::size_t pairs = first * shape.nodes;
    PointerTile t{};
    t.nodes = shape.nodes, t.padded = padded, t.channels = shape.channels;
    t.first = rows.first, t.last = rows.last;
    t.node = node + first * padded, t.row = row + first * padded;
    if (column) t.column = column + first * padded;
    t.x = in.x + pairs * shape.channels, t.c = c, t.d = d, t.start = start + first;
    if (dense) t.dense = dense + pairs * padded;
    t.scratch = scratch(static_cast<std::size_t>(std::max(shape.nodes, 2)) * padded, kForLoops);
    return t;
  }

  const PointerShape& shape;
  const PointerInputs<float>& in;
  int padded;
  const float *node, *row, *column, *c, *dense, *d;
  float* start;
};

/// What the jobs of a backward pass write.
struct Sums {
  Sums(Arena& arena, const PointerShape& s, const GraphJobs& jobs, int padded, bool padded_dense)
      : node(arena, jobs, padded),
        column(arena, jobs, s.of == Of::Edges ? padded : 0),
        weights(arena, jobs.jobs, static_cast<std::size_t>(s.channels + 1) * padded + 16),
        row(arena.take(static_cast<std::size_t>(s.batch) * s.nodes * padded)),
        dense(arena.take(
            padded_dense ? static_cast<std::size_t>(s.batch) * s.nodes * s.nodes * padded : 0)) {}
  TileSums node, column;
  JobSums weights;  // c, d, bias
  float *row, *dense;
};

}  // namespace

void pointer_forward_with(const PointerLoops& loops, const PointerShape& shape,
                          const PointerInputs<float>& in, float* logits, int threads) {
  const int P = round_up(shape.hidden, loops.width), N = shape.nodes;
  const auto padded = laid_out(kForCall, [&](Arena& arena) { return Padded(arena, shape, in, P); });
  padded.set_start();
  const GraphJobs jobs(shape.batch, N);
  run_jobs(threads, shape.batch * jobs.tiles, [&](int job) {
    const int b = job / jobs.tiles;
    PointerTile tile = padded.tile(b, part(N, jobs.tiles, job % jobs.tiles));
    tile.logits = logits + b * padded.logits_of_graph();
    loops.forward(tile);
  });
}

void pointer_backward_with(const PointerLoops& loops, const PointerShape& shape,
                           const PointerInputs<float>& in, const float* dlogits,
                           const PointerGradients<float>& out, int threads) {
  const int H = shape.hidden, P = round_up(H, loops.width), N = shape.nodes, R = shape.channels;
  const std::size_t rows = static_cast<std::size_t>(shape.batch) * N;
  const auto padded = laid_out(kForCall, [&](Arena& arena) { return Padded(arena, shape, in, P); });
  const GraphJobs jobs(shape.batch, N);
  const bool padded_dense = out.dense && P != H;
  const auto sums =
      laid_out(kForSums, [&](Arena& arena) { return Sums(arena, shape, jobs, P, padded_dense); });
  float* ddense = padded_dense ? sums.dense : out.dense;

  jobs.run(
      threads, [&](int job) { sums.weights.clear(job); },
      [&](int job, int b, int t, Range mine) {
        const std::size_t first = static_cast<std::size_t>(b) * N;
        PointerTile tile = padded.tile(b, mine);
        sums.node.clear(b, t), sums.column.clear(b, t);
        tile.dlogits = dlogits + b * padded.logits_of_graph();
        tile.dnode = sums.node.of(b, t), tile.dcolumn = sums.column.of(b, t);
        tile.drow = sums.row + first * P;
        if (out.x) tile.dx = out.x + first * N * R;
        tile.x_channels = out.x_channels;
        if (ddense) tile.ddense = ddense + first * N * P;
        tile.dc = sums.weights.of(job), tile.dd = tile.dc + static_cast<std::size_t>(R) * P;
        tile.dbias = tile.dd + P;
        loops.backward(tile);
      });

  const float* total = sums.weights.add_up();
  if (out.node) sums.node.add_up(H, out.node);
  if (out.column) sums.column.add_up(H, out.column);
  if (out.row) unpad_rows(sums.row, rows, H, P, out.row);
  if (out.c) unpad_rows(total, R, H, P, out.c);
  if (out.d) std::copy_n(total + static_cast<std::size_t>(R) * P, H, out.d);
  if (out.bias) out.bias[0] = total[static_cast<std::size_t>(R) * P + P];
  if (padded_dense) unpad_rows(sums.dense, rows * N, H, P, out.dense);
}

void pointer_forward(const PointerShape& shape, const PointerInputs<float>& in, float* logits,
                     int threads) {
  count_call(shape.of == Of::Edges ? Kernel::EdgePointer : Kernel::Pointer);
  if (const auto* loops = choose_loops(kPointerAvx2, kPointerAvx512))
    return pointer_forward_with(*loops, shape, in, logits, threads);
  pointer_forward_reference(shape, in, logits);
}

void pointer_backward(const PointerShape& shape, const PointerInputs<float>& in,
                      const float* dlogits, const PointerGradients<float>& gradients, int threads) {
  count_call(shape.of == Of::Edges ? Kernel::EdgePointerBackward : Kernel::PointerBackward);
  if (const auto* loops = choose_loops(kPointerAvx2, kPointerAvx512))
    return pointer_backward_with(*loops, shape, in, dlogits, gradients, threads);
  pointer_backward_reference(shape, in, dlogits, gradients);
}

}  // namespace npq::kernels
