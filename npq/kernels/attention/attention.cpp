#include "npq/kernels/attention/attention.h"

#include <algorithm>
#include <utility>

#include "npq/base/error.h"
#include "npq/kernels/calls.h"
#include "npq/kernels/gradient_sums.h"
#include "npq/kernels/levels.h"

namespace npq::kernels {
namespace {

/// Logits and their gradients for one node's list, and one pair's gradient.
std::size_t loop_scratch(int nodes, int heads, int width) {
  return 2 * static_cast<std::size_t>(heads) * (nodes + 16) +
         static_cast<std::size_t>(heads) * width;
}

/// A call's inputs with padded heads.
struct Padded {
  Padded(Arena& arena, const AttentionShape& s, const AttentionInputs<float>& in, int loop_width)
      : shape(s), in(in), rows(static_cast<std::size_t>(s.batch) * s.nodes) {
    const int f = s.hidden / s.heads;
    value_width = round_up(f, loop_width);
    width = s.width == 1 ? 1 : round_up(s.width, loop_width);
    own = padded_rows(arena, in.own, rows * s.heads, s.width, width);
    other = padded_rows(arena, in.other, rows * s.heads, s.width, width);
    c = padded_rows(arena, in.c, static_cast<std::size_t>(s.channels) * s.heads, s.width, width);
    a = in.a ? padded_rows(arena, in.a, s.heads, s.width, width) : nullptr;
    values = padded_rows(arena, in.values, rows * s.heads, f, value_width);
  }

  std::size_t logit_row() const { return static_cast<std::size_t>(shape.heads) * width; }
  std::size_t value_row() const { return static_cast<std::size_t>(shape.heads) * value_width; }

  AttentionTile tile(int b, Range nodes, const float* norms) const {
    const std::size_t row = static_cast<std::size_t>(b) * shape.nodes;
    AttentionTile t{};
    t.nodes = shape.nodes, t.channels = shape.channels, t.heads = shape.heads;
    t.width = width, t.value_width = value_width;
    t.first = nodes.first, t.last = nodes.last;
    t.own = own + row * logit_row(), t.other = other + row * logit_row();
    t.x = in.x + row * shape.nodes * shape.channels, t.c = c, t.a = a;
    t.values = values + row * value_row();
    if (in.neighbours.offsets) t.offsets = in.neighbours.offsets + row, t.list = in.neighbours.list;
    t.norms = const_cast<float*>(norms) + row * shape.heads * 2;
    t.scratch = scratch(loop_scratch(shape.nodes, shape.heads, width), kForLoops);
    return t;
  }

  const AttentionShape& shape;
  const AttentionInputs<float>& in;
  std::size_t rows;
  int width, value_width;
  const float *own, *other, *c, *a, *values;
};

}  // namespace

void attention_forward_with(const AttentionLoops& loops, const AttentionShape& shape,
                            const AttentionInputs<float>& in, float* agg, float* norms,
                            int threads) {
  const int f = shape.hidden / shape.heads;
  const bool direct = round_up(f, loops.width) == f;
  const auto laid = laid_out(kForCall, [&](Arena& arena) {
    const Padded inputs(arena, shape, in, loops.width);
    return std::pair(inputs, arena.take(direct ? 0 : inputs.rows * inputs.value_row()));
  });
  const Padded& padded = laid.first;
  const std::size_t row = padded.value_row();
  float* out = direct ? agg : laid.second;

  const GraphJobs jobs(shape.batch, shape.nodes);
  run_jobs(threads, shape.batch * jobs.tiles, [&](int job) {
    const int b = job / jobs.tiles;
    AttentionTile tile = padded.tile(b, part(shape.nodes, jobs.tiles, job % jobs.tiles), norms);
    tile.agg = out + static_cast<std::size_t>(b) * shape.nodes * row;
    loops.forward(tile);
  });
  if (!direct) unpad_rows(out, padded.rows * shape.heads, f, padded.value_width, agg);
}

void attention_backward_with(const AttentionLoops& loops, const AttentionShape& shape,
                             const AttentionInputs<float>& in, const float* norms,
                             const float* dagg, const AttentionGradients<float>& out, int threads) {
  const int N = shape.nodes, R = shape.channels, K = shape.heads, f = shape.hidden / K;
  const auto laid = laid_out(kForCall, [&](Arena& arena) {
    const Padded inputs(arena, shape, in, loops.width);
    return std::pair(inputs, padded_rows(arena, dagg, inputs.rows * K, f, inputs.value_width));
  });
  const Padded& padded = laid.first;
  const float* g = laid.second;
  const int D = padded.width, V = padded.value_width, KD = K * D, KV = K * V;

  const GraphJobs jobs(shape.batch, N);
  const std::size_t weights = static_cast<std::size_t>(R + 1) * KD;  // c, a
  struct Sums {
    TileSums other, values;
    JobSums weights;
    float* own;
  };
  const auto sums = laid_out(kForSums, [&](Arena& arena) {
    return Sums{TileSums(arena, jobs, KD), TileSums(arena, jobs, KV),
                JobSums(arena, jobs.jobs, weights), arena.take(padded.rows * KD)};
  });
  if (out.x) std::fill_n(out.x, padded.rows * N * R, 0.0f);

  jobs.run(
      threads, [&](int job) { sums.weights.clear(job); },
      [&](int job, int b, int t, Range nodes) {
        const std::size_t row = static_cast<std::size_t>(b) * N;
        AttentionTile tile = padded.tile(b, nodes, norms);
        sums.other.clear(b, t), sums.values.clear(b, t);
        tile.dagg = g + row * KV;
        tile.down = sums.own + row * KD;
        tile.dother = sums.other.of(b, t), tile.dvalues = sums.values.of(b, t);
        if (out.x) tile.dx = out.x + row * N * R;
        tile.x_channels = out.x_channels;
        tile.dc = sums.weights.of(job), tile.da = tile.dc + static_cast<std::size_t>(R) * KD;
        loops.backward(tile);
      });

  // TileSums writes rows of one width; heads are padded one by one, so they are cut in place first.
  const auto cut = [&](const TileSums& tiles, int padded_width, int width, float* to) {
    if (!to) return;
    tiles.add_up(K * padded_width, tiles.of(0, 0));
    unpad_rows(tiles.of(0, 0), padded.rows * K, width, padded_width, to);
  };
  const float* total = sums.weights.add_up();
  cut(sums.other, D, shape.width, out.other);
  cut(sums.values, V, f, out.values);
  if (out.own) unpad_rows(sums.own, padded.rows * K, shape.width, D, out.own);
  if (out.c) unpad_rows(total, static_cast<std::size_t>(R) * K, shape.width, D, out.c);
  if (out.a) unpad_rows(total + static_cast<std::size_t>(R) * KD, K, shape.width, D, out.a);
}

void attention_forward(const AttentionShape& shape, const AttentionInputs<float>& in, float* agg,
                       float* norms, int threads) {
  if (const auto* offsets = in.neighbours.offsets) {
    for (int i = 0; i < shape.batch * shape.nodes; ++i) {
      if (offsets[i] == offsets[i + 1])
        throw Error("node {} of graph {} attends to no node; give every node an edge to itself",
                    i % shape.nodes, i / shape.nodes);
    }
  }
  count_call(Kernel::Attention);
  if (const auto* loops = choose_loops(kAttentionAvx2, kAttentionAvx512))
    return attention_forward_with(*loops, shape, in, agg, norms, threads);
  attention_forward_reference(shape, in, agg, norms);
}

void attention_backward(const AttentionShape& shape, const AttentionInputs<float>& in,
                        const float* norms, const float* dagg,
                        const AttentionGradients<float>& gradients, int threads) {
  count_call(Kernel::AttentionBackward);
  if (const auto* loops = choose_loops(kAttentionAvx2, kAttentionAvx512))
    return attention_backward_with(*loops, shape, in, norms, dagg, gradients, threads);
  attention_backward_reference(shape, in, norms, dagg, gradients);
}

}  // namespace npq::kernels
