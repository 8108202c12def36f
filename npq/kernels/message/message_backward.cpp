#include <algorithm>
#include <vector>

#include "npq/base/error.h"
#include "npq/kernels/calls.h"
#include "npq/kernels/jobs.h"
#include "npq/kernels/levels.h"
#include "npq/kernels/message/message_packed.h"

namespace npq::kernels {
namespace {

/// Of a job: for fewer its own copy of the weights' gradients would cost too much.
constexpr int kLeastMessages = 512;

/// One job's share of the weights' gradients.
struct WeightSums {
  WeightSums(Arena& arena, int padded, int channels)
      : w0(arena.take(area(padded, padded))),
        w1_transposed(arena.take(area(padded, padded))),
        c(arena.take(area(channels, padded))),
        b0(arena.take(padded)),
        b1(arena.take(padded)) {}
  float *w0, *w1_transposed, *c, *b0, *b1;
};

/// Everything that jobs write, and how it becomes the gradients asked for.
class Sums {
 public:
  Sums(Arena& arena, const MessageShape& shape, const MessageGradients<float>& out,
       bool with_memory, int padded, int jobs, int tiles)
      : shape_(shape), out_(out), padded_(padded), tiles_(tiles) {
    const std::size_t nodes = area(shape.batch, shape.nodes) * padded;
    const bool direct = padded == shape.hidden;
    recv = direct && out.recv ? out.recv : arena.take(nodes);
    if (with_memory) memory = direct && out.memory ? out.memory : arena.take(nodes);
    send = direct && out.send && tiles == 1 ? out.send : arena.take(nodes * tiles);
    for (int j = 0; j < jobs; ++j) weights_.emplace_back(arena, padded, shape.channels);
  }

  const WeightSums& weights(int job) const { return weights_[job]; }
  float* send_of(int b, int t) const {
    return send + (area(b, tiles_) + t) * shape_.nodes * padded_;
  }
  float *recv, *send, *memory = nullptr;

  void clear(int job) const {
    const WeightSums& w = weights_[job];
    std::fill_n(w.w0, area(padded_, padded_), 0.0f);
    std::fill_n(w.w1_transposed, area(padded_, padded_), 0.0f);
    std::fill_n(w.c, area(shape_.channels, padded_), 0.0f);
    std::fill_n(w.b0, padded_, 0.0f);
    std::fill_n(w.b1, padded_, 0.0f);
  }

  /// Adds what the jobs found, in their order.
  void add_up(int threads) const {
    const int H = shape_.hidden, blocks = (H + kTogether - 1) / kTogether;
    run_jobs(threads, 2 * blocks + 1, [&](int job) {
      if (job == 2 * blocks) return add_up_rows();
      const int first = job % blocks * kTogether, last = std::min(first + kTogether, H);
      float* sums = scratch(area(kTogether, padded_), kForLoops);
      for (int row = first; row < last; ++row) {
        float* sum = sums + area(row - first, padded_);
        if (job < blocks) {
          write_row(total(&WeightSums::w0, row, sum), out_.w0, row);
        } else {
          total(&WeightSums::w1_transposed, row, sum);
        }
      }
      for (int h = 0; job >= blocks && out_.w1 && h < H; ++h) {
        for (int row = first; row < last; ++row)
          out_.w1[area(h, H) + row] = sums[area(row - first, padded_) + h];
      }
    });
    const std::size_t rows = area(shape_.batch, shape_.nodes);
    if (out_.recv && out_.recv != recv) unpad_rows(recv, rows, H, padded_, out_.recv);
    if (memory && out_.memory && out_.memory != memory)
      unpad_rows(memory, rows, H, padded_, out_.memory);
    if (out_.send && out_.send != send) add_up_send(threads);
  }

 private:
  /// Rows of a weight's sum that are added up together. Those of W1 become columns: as many as fill
  /// a line of the cache, or threads would take it from each other at every number.
  static constexpr int kTogether = 16;

  void add_up_rows() const {
    float* sum = scratch(padded_, kForLoops);
    for (int k = 0; k < shape_.channels; ++k) write_row(total(&WeightSums::c, k, sum), out_.c, k);
    write_row(total(&WeightSums::b0, 0, sum), out_.b0, 0);
    write_row(total(&WeightSums::b1, 0, sum), out_.b1, 0);
  }
  const float* total(float* WeightSums::*member, int row, float* sum) const {
    const std::size_t from = area(row, padded_);
    std::copy_n(weights_[0].*member + from, padded_, sum);
    for (std::size_t j = 1; j < weights_.size(); ++j) {
      const float* more = weights_[j].*member + from;
      for (int h = 0; h < padded_; ++h) sum[h] += more[h];
    }
    return sum;
  }
  void write_row(const float* sum, float* out, int row) const {
    if (out) std::copy_n(sum, shape_.hidden, out + area(row, shape_.hidden));
  }

  void add_up_send(int threads) const {
    const int H = shape_.hidden, N = shape_.nodes;
    run_jobs(threads, shape_.batch, [&](int b) {
      for (int s = 0; s < N; ++s) {
        float* to = out_.send + (area(b, N) + s) * H;
        for (int t = 0; t < tiles_; ++t) {
          const float* from = send_of(b, t) + area(s, padded_);
          for (int h = 0; h < H; ++h) to[h] = (t == 0 ? 0 : to[h]) + from[h];
        }
      }
    });
  }

  const MessageShape& shape_;
  const MessageGradients<float>& out_;
  int padded_, tiles_;
  std::vector<WeightSums> weights_;
};

/// All receivers that a shared memory row won over feel it in the same feature, since the best row
/// of a feature is the same for all: one receiver's gradient.
void gather_shared(const MessageShape& shape, int b, const std::uint16_t* arg, const float* dagg,
                   float* sum, std::uint16_t* who) {
  const int H = shape.hidden;
  std::fill_n(sum, H, 0.0f);
  std::fill_n(who, H, kNobody);
  for (int r = 0; r < shape.nodes; ++r) {
    const std::size_t at = (area(b, shape.nodes) + r) * H;
    for (int f = 0; f < H; ++f) {
      if (arg[at + f] == kNobody || arg[at + f] < shape.nodes) continue;
      sum[f] += dagg[at + f];
      who[f] = arg[at + f];
    }
  }
}

}  // namespace

void message_backward_with(const MessageLoops& loops, const MessageShape& shape,
                           const MessageInputs<float>& in, const std::uint16_t* arg,
                           const float* dagg, const float* kept, const MessageGradients<float>& out,
                           int threads) {
  NPQ_ASSERT(!kept || in.senders == Senders::All);
  const int N = shape.nodes, H = shape.hidden, P = round_up(H, loops.width);
  const std::size_t graph = area(N, H);
  const bool with_memory = in.delivery != Delivery::Nobody;
  const bool shared = in.delivery == Delivery::All;
  if (out.x) std::fill_n(out.x, area(shape.batch, N) * N * shape.channels, 0.0f);

  // A few large graphs are cut into tiles of receivers, many small ones are not.
  const int tiles = std::clamp(kMostGradientJobs / std::max(1, shape.batch), 1, std::max(1, N));
  const int units = shape.batch * tiles;
  const auto enough = static_cast<int>(area(shape.batch, N) * N / kLeastMessages);
  const int jobs = std::clamp(std::min(units, enough), 1, kMostGradientJobs);

  const auto packed = laid_out(
      kForCall, [&](Arena& arena) { return PackedMessages(arena, loops, shape, in, true); });

  const std::size_t shared_floats = shared ? area(shape.batch, H) : 0;
  struct Laid {
    Sums sums;
    float *shared_sum, *shared_arg;
  };
  const auto laid = laid_out(kForSums, [&](Arena& arena) {
    return Laid{Sums(arena, shape, out, with_memory, P, jobs, tiles), arena.take(shared_floats),
                arena.take(shared_floats)};
  });
  const Sums& sums = laid.sums;
  float* shared_sum = laid.shared_sum;
  auto* shared_arg = reinterpret_cast<std::uint16_t*>(laid.shared_arg);

  run_jobs(threads, jobs, [&](int job) {
    sums.clear(job);
    const WeightSums& weights = sums.weights(job);
    const Range mine = part(units, jobs, job);
    for (int unit = mine.first; unit < mine.last; ++unit) {
      const int b = unit / tiles, t = unit % tiles;
      const std::size_t first_row = area(b, N) * P;
      const Range receivers = part(N, tiles, t);
      MessageTile tile = packed.tile(b);
      tile.first = receivers.first, tile.last = receivers.last;
      tile.arg = const_cast<std::uint16_t*>(arg) + b * graph;
      tile.dagg = dagg + b * graph;
      if (kept) tile.kept = const_cast<float*>(kept) + b * kept_floats(shape, in.delivery);
      tile.drecv = sums.recv + first_row, tile.dsend = sums.send_of(b, t);
      if (with_memory) {
        tile.dmemory = sums.memory + first_row;
        std::fill_n(tile.dmemory + area(receivers.first, P),
                    area(receivers.last - receivers.first, P), 0.0f);
      }
      if (out.x) tile.dx = out.x + area(b, N) * N * shape.channels;
      tile.x_channels = out.x_channels;
      tile.dc = weights.c, tile.dw0 = weights.w0, tile.db0 = weights.b0;
      tile.dw1_transposed = weights.w1_transposed, tile.db1 = weights.b1;
      tile.scratch = scratch(loops.backward_scratch(P, N, shape.channels), kForLoops);
      std::fill_n(tile.dsend, area(N, P), 0.0f);
      loops.backward(tile);
    }
  });

  // The shared memory rows of all receivers, on the weights' sums of the graph's first job.
  if (shared) {
    run_jobs(threads, jobs, [&](int job) {
      const WeightSums& weights = sums.weights(job);
      const Range mine = part(units, jobs, job);
      for (int unit = mine.first; unit < mine.last; ++unit) {
        if (unit % tiles != 0) continue;
        const int b = unit / tiles;
        MessageTile tile = packed.tile(b);
        tile.hears = MessageTile::Hears::Memory;
        tile.first = 0, tile.last = 1;
        gather_shared(shape, b, arg, dagg, shared_sum + area(b, H), shared_arg + area(b, H));
        tile.dagg = shared_sum + area(b, H), tile.arg = shared_arg + area(b, H);
        tile.dmemory = sums.memory + area(b, N) * P;
        tile.dc = weights.c, tile.dw0 = weights.w0, tile.db0 = weights.b0;
        tile.dw1_transposed = weights.w1_transposed, tile.db1 = weights.b1;
        tile.scratch = scratch(loops.backward_scratch(P, N, shape.channels), kForLoops);
        loops.backward(tile);
      }
    });
  }
  sums.add_up(threads);
}

void message_backward(const MessageShape& shape, const MessageInputs<float>& in,
                      const std::uint16_t* arg, const float* dagg, const float* kept,
                      const MessageGradients<float>& gradients, int threads) {
  check_message_nodes(shape);
  count_call(Kernel::MessageBackward);
  if (const auto* loops = choose_loops(kMessageAvx2, kMessageAvx512, &kMessageAmx))
    return message_backward_with(*loops, shape, in, arg, dagg, kept, gradients, threads);
  message_backward_reference(shape, in, arg, dagg, gradients);
}

}  // namespace npq::kernels
