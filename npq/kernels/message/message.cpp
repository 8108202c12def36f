#include "npq/kernels/message/message.h"

#include <algorithm>

#include "npq/base/error.h"
#include "npq/kernels/calls.h"
#include "npq/kernels/jobs.h"
#include "npq/kernels/levels.h"
#include "npq/kernels/message/message_packed.h"

namespace npq::kernels {
namespace {

/// [H, H] packed for the loops, by way of a padded copy.
const float* pack(Arena& arena, const MessageLoops& loops, const float* w, int hidden, int padded,
                  float* padded_copy) {
  float* packed = arena.take(area(padded, padded));
  if (!packed) return nullptr;
  if (hidden == padded) {
    loops.pack(w, padded, packed);
  } else {
    std::fill_n(padded_copy, area(padded, padded), 0.0f);
    pad_rows(w, hidden, hidden, padded, padded_copy);
    loops.pack(padded_copy, padded, packed);
  }
  return packed;
}

/// Work for threads to share: enough messages that starting a tile does not count.
int receivers_per_tile(const MessageShape& shape, const MessageInputs<float>& in) {
  constexpr std::int64_t kMessages = 1024;
  std::int64_t heard = shape.nodes;  // by one receiver, on average
  if (in.senders == Senders::Self) heard = 1;
  if (in.senders == Senders::Listed) {
    const std::int64_t receivers = static_cast<std::int64_t>(shape.batch) * shape.nodes;
    heard = in.neighbours.offsets[receivers] / receivers + 1;
  }
  return static_cast<int>(std::clamp<std::int64_t>(kMessages / heard, 1, shape.nodes));
}

}  // namespace

PackedMessages::PackedMessages(Arena& arena, const MessageLoops& loops, const MessageShape& shape,
                               const MessageInputs<float>& in, bool backward)
    : shape(shape), in(in), padded(round_up(shape.hidden, loops.width)) {
  const int H = shape.hidden, P = padded;
  const std::size_t rows = area(shape.batch, shape.nodes);
  const bool with_memory = in.delivery != Delivery::Nobody;
  recv = padded_rows(arena, in.recv, rows, H, P);
  send = padded_rows(arena, in.send, rows, H, P);
  memory = with_memory ? padded_rows(arena, in.memory, rows, H, P) : nullptr;
  c = padded_rows(arena, in.c, shape.channels, H, P);
  b0 = padded_rows(arena, in.b0, 1, H, P);
  b1 = padded_rows(arena, in.b1, 1, H, P);
  float* copy = arena.take(area(P, P));
  w0 = pack(arena, loops, in.w0, H, P, copy);
  w1 = backward ? nullptr : pack(arena, loops, in.w1, H, P, copy);
  w0_transposed = w1_transposed = nullptr;
  if (!backward) return;
  float* transposed = arena.take(area(P, P));
  float* packed = arena.take(area(P, P));
  w1_transposed = transposed;
  w0_transposed = packed;
  if (!packed) return;
  pad_transposed(in.w1, H, P, transposed);
  pad_transposed(in.w0, H, P, copy);
  loops.pack(copy, P, packed);
}

MessageTile PackedMessages::tile(int b) const {
  const std::size_t node = area(b, shape.nodes);
  MessageTile tile{};
  tile.nodes = shape.nodes, tile.hidden = shape.hidden;
  tile.padded = padded, tile.channels = shape.channels;
  tile.recv = recv + node * padded, tile.send = send + node * padded;
  tile.x = in.x + node * shape.nodes * shape.channels;
  tile.kept_stride = kept_stride(shape.hidden);
  tile.c = c, tile.b0 = b0, tile.b1 = b1;
  tile.w0 = w0, tile.w1 = w1, tile.w0_transposed = w0_transposed,
  tile.w1_transposed = w1_transposed;
  if (memory) tile.memory = memory + node * padded;
  tile.own_memory = has_own_row(in.delivery);
  switch (in.senders) {
    case Senders::All:
      tile.hears = MessageTile::Hears::All;
      break;
    case Senders::Self:
      tile.hears = MessageTile::Hears::Self;
      break;
    case Senders::Listed:
      tile.hears = MessageTile::Hears::Listed;
      tile.offsets = in.neighbours.offsets + node;
      tile.list = in.neighbours.list;
      break;
  }
  return tile;
}

bool has_own_row(Delivery delivery) {
  return delivery == Delivery::Self || delivery == Delivery::SelfRepeat;
}

int kept_stride(int hidden) { return round_up(hidden, 32); }

std::size_t kept_floats(const MessageShape& shape, Delivery delivery) {
  const int messages = shape.nodes + (has_own_row(delivery) ? 1 : 0);
  return static_cast<std::size_t>(shape.nodes) * messages * kept_stride(shape.hidden);
}

void message_forward_with(const MessageLoops& loops, const MessageShape& shape,
                          const MessageInputs<float>& in, float* agg, std::uint16_t* arg,
                          float* kept, int threads) {
  NPQ_ASSERT(!kept || in.senders == Senders::All);
  if (shape.batch == 0 || shape.nodes == 0 || shape.hidden == 0) return;
  const int P = round_up(shape.hidden, loops.width);
  const bool shared = in.delivery == Delivery::All;
  const std::size_t best_floats = shared ? area(shape.batch, P) : 0;
  struct Laid {
    PackedMessages packed;
    float *best, *best_arg;
  };
  const auto laid = laid_out(kForCall, [&](Arena& arena) {
    return Laid{PackedMessages(arena, loops, shape, in, false), arena.take(best_floats),
                arena.take(best_floats)};
  });
  const PackedMessages& packed = laid.packed;
  float* best = laid.best;
  auto* best_arg = reinterpret_cast<std::int32_t*>(laid.best_arg);

  if (shared) {
    run_jobs(threads, shape.batch, [&](int b) {
      MessageTile tile = packed.tile(b);
      tile.hears = MessageTile::Hears::Memory;
      tile.first = 0, tile.last = 1;
      tile.memory_agg = best + area(b, P), tile.memory_arg = best_arg + area(b, P);
      tile.scratch = scratch(loops.forward_scratch(P), kForLoops);
      loops.forward(tile);
    });
  }

  const int per_tile = receivers_per_tile(shape, in);
  const int tiles = (shape.nodes + per_tile - 1) / per_tile;
  run_jobs(threads, shape.batch * tiles, [&](int job) {
    const int b = job / tiles;
    const Range receivers = part(shape.nodes, tiles, job % tiles);
    MessageTile tile = packed.tile(b);
    tile.first = receivers.first, tile.last = receivers.last;
    tile.agg = agg + area(b, shape.nodes) * shape.hidden;
    tile.arg = arg + area(b, shape.nodes) * shape.hidden;
    if (kept) tile.kept = kept + b * kept_floats(shape, in.delivery);
    if (shared) tile.best = best + area(b, P), tile.best_arg = best_arg + area(b, P);
    tile.scratch = scratch(loops.forward_scratch(P), kForLoops);
    loops.forward(tile);
  });
}

void check_message_nodes(const MessageShape& shape) {
  if (shape.nodes > kMostMessageNodes)
    throw Error("a graph has {} nodes; fused messages take at most {}", shape.nodes,
                kMostMessageNodes);
}

void message_forward(const MessageShape& shape, const MessageInputs<float>& in, float* agg,
                     std::uint16_t* arg, float* kept, int threads) {
  check_message_nodes(shape);
  count_call(Kernel::Message);
  if (const auto* loops = choose_loops(kMessageAvx2, kMessageAvx512, &kMessageAmx))
    return message_forward_with(*loops, shape, in, agg, arg, kept, threads);
  message_forward_reference(shape, in, agg, arg);
}

}  // namespace npq::kernels
