#include "npq/kernels/pointer/pointer_driver.h"

#include <algorithm>

#include "npq/kernels/gradient_sums.h"

namespace npq::kernels {
namespace {

/// A call's inputs with padded rows; measures with an arena without memory, then copies with one.
struct Padded {
  Padded(Arena& arena, const PointerShape& s, const PointerInputs<float>& in, int padded)
      : shape(s), in(in), padded(padded) {
    const std::size_t rows = static_cast<std::size_t>(s.batch) * s.nodes;
    from = padded_rows(arena, in.from, rows, s.hidden, padded);
    to = padded_rows(arena, in.to, rows, s.hidden, padded);
    c = padded_rows(arena, in.c, s.channels, s.hidden, padded);
    dense = in.dense ? padded_rows(arena, in.dense, rows * s.nodes, s.hidden, padded) : nullptr;
    d = padded_rows(arena, in.d, 1, s.hidden, padded);
    start = arena.take(rows);
  }

  /// The loops' maximum passes over a NaN in `from`; adding 0 * from does not.
  void set_start() const {
    const std::size_t rows = static_cast<std::size_t>(shape.batch) * shape.nodes;
    for (std::size_t i = 0; i < rows; ++i) {
      float zero = 0;
      for (int h = 0; h < shape.hidden; ++h) zero += 0 * in.from[i * shape.hidden + h];
      start[i] = in.bias[0] + zero;
    }
  }

  PointerTile tile(int b, Range nodes) const {
    const std::size_t rows = static_cast<std::size_t>(b) * shape.nodes, pairs = rows * shape.nodes;
    PointerTile t{};
    t.nodes = shape.nodes, t.padded = padded, t.channels = shape.channels;
    t.first = nodes.first, t.last = nodes.last;
    t.from = from + rows * padded, t.to = to + rows * padded;
    t.x = in.x + pairs * shape.channels, t.c = c, t.d = d, t.start = start + rows;
    if (dense) t.dense = dense + pairs * padded;
    return t;
  }

  const PointerShape& shape;
  const PointerInputs<float>& in;
  int padded;
  const float *from, *to, *c, *dense, *d;
  float* start;
};

}  // namespace

void pointer_forward_with(const PointerLoops& loops, const PointerShape& shape,
                          const PointerInputs<float>& in, float* logits, int threads) {
  const int P = round_up(shape.hidden, loops.width), N = shape.nodes;
  Arena measure;
  Padded(measure, shape, in, P);
  Arena arena(scratch(measure.used(), kForCall));
  const Padded padded(arena, shape, in, P);
  padded.set_start();
  const GraphJobs jobs(shape.batch, N);
  run_jobs(threads, shape.batch * jobs.tiles, [&](int job) {
    const int b = job / jobs.tiles;
    PointerTile tile = padded.tile(b, part(N, jobs.tiles, job % jobs.tiles));
    tile.logits = logits + static_cast<std::size_t>(b) * N * N;
    loops.forward(tile);
  });
}

void pointer_backward_with(const PointerLoops& loops, const PointerShape& shape,
                           const PointerInputs<float>& in, const float* dlogits,
                           const PointerGradients<float>& out, int threads) {
  const int H = shape.hidden, P = round_up(H, loops.width), N = shape.nodes, R = shape.channels;
  const std::size_t rows = static_cast<std::size_t>(shape.batch) * N;
  Arena measure;
  Padded(measure, shape, in, P);
  Arena arena(scratch(measure.used(), kForCall));
  const Padded padded(arena, shape, in, P);

  const GraphJobs jobs(shape.batch, N);
  const std::size_t weights = static_cast<std::size_t>(R) * P + P + 16;  // c, d, bias
  const bool padded_dense = out.dense && P != H;
  Arena sums_measure;
  const auto take = [&](Arena& from) {
    struct All {
      TileSums from;
      JobSums weights;
      float *to, *dense;
    };
    return All{TileSums(from, jobs, P), JobSums(from, jobs.jobs, weights), from.take(rows * P),
               from.take(padded_dense ? rows * N * P : 0)};
  };
  take(sums_measure);
  Arena sums_arena(scratch(sums_measure.used(), kForSums));
  const auto sums = take(sums_arena);
  float* ddense = padded_dense ? sums.dense : out.dense;

  jobs.run(
      threads, [&](int job) { sums.weights.clear(job); },
      [&](int job, int b, int t, Range nodes) {
        const std::size_t row = static_cast<std::size_t>(b) * N;
        PointerTile tile = padded.tile(b, nodes);
        sums.from.clear(b, t);
        tile.dlogits = dlogits + row * N;
        tile.scratch = scratch(static_cast<std::size_t>(N) * P, kForLoops);
        tile.dfrom = sums.from.of(b, t), tile.dto = sums.to + row * P;
        if (out.x) tile.dx = out.x + row * N * R;
        tile.x_channels = out.x_channels;
        if (ddense) tile.ddense = ddense + row * N * P;
        tile.dc = sums.weights.of(job), tile.dd = tile.dc + static_cast<std::size_t>(R) * P;
        tile.dbias = tile.dd + P;
        loops.backward(tile);
      });

  const float* total = sums.weights.add_up();
  if (out.from) sums.from.add_up(H, out.from);
  if (out.to) unpad_rows(sums.to, rows, H, P, out.to);
  if (out.c) unpad_rows(total, R, H, P, out.c);
  if (out.d) std::copy_n(total + static_cast<std::size_t>(R) * P, H, out.d);
  if (out.bias) out.bias[0] = total[static_cast<std::size_t>(R) * P + P];
  if (padded_dense) unpad_rows(sums.dense, rows * N, H, P, out.dense);
}

}  // namespace npq::kernels
