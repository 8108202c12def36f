#pragma once
#include "npq/kernels/lanes/lanes.h"
#include "npq/kernels/message/message.h"

// Single messages of a tile: who speaks to whom, what goes into the message network, and how the
// loops over many of them lay them out. For files of one instruction set alone, see lanes.h.
namespace npq::kernels {
namespace {

/// How many messages receiver r gets.
NPQ_INLINE int messages_to(const MessageTile& t, int r) {
  const int memory = t.own_memory ? 1 : 0;
  switch (t.hears) {
    case MessageTile::Hears::All:
      return t.nodes + memory;
    case MessageTile::Hears::Self:
      return 1 + memory;
    case MessageTile::Hears::Listed:
      return t.offsets[r + 1] - t.offsets[r] + memory;
    case MessageTile::Hears::Memory:
      return t.nodes;
  }
  return 0;
}

/// Who sends message i of receiver r; from N on the memory.
NPQ_INLINE int sender_of(const MessageTile& t, int r, int i) {
  switch (t.hears) {
    case MessageTile::Hears::All:
      return i;
    case MessageTile::Hears::Self:
      return i == 0 ? r : t.nodes;
    case MessageTile::Hears::Listed: {
      const int e = t.offsets[r] + i;
      return e < t.offsets[r + 1] ? t.list[e] : t.nodes;
    }
    case MessageTile::Hears::Memory:
      return t.nodes + i;
  }
  return 0;
}

/// Below which no maximum falls: a node that receiver r does not hear counts as -1e6.
NPQ_INLINE float floor_of(const MessageTile& t, int r) {
  const bool all = t.hears == MessageTile::Hears::Memory ||
                   messages_to(t, r) - (t.own_memory ? 1 : 0) == t.nodes;
  return all ? -__builtin_inff() : kNoMessage;
}

NPQ_INLINE int memory_row(const MessageTile& t, int r, int sender) {
  return t.own_memory ? r : sender - t.nodes;
}

/// Where y of a message is kept.
NPQ_INLINE float* kept_row(const MessageTile& t, int r, int sender) {
  return t.kept + at(r * (t.nodes + t.own_memory) + sender, t.kept_stride);
}

NPQ_INLINE const float* pair_values(const MessageTile& t, int sender, int r) {
  return t.x + (static_cast<std::size_t>(sender) * t.nodes + r) * t.channels;
}

/// u = relu(recv[r] + send[s] + X[s,r] C), V vectors of it.
template <int W, int V>
NPQ_INLINE void message_input_block(const float* recv, const float* send, const float* values,
                                    int channels, const float* c, int stride, float* u) {
  using L = Lanes<W>;
  typename L::Floats x[V];
#pragma GCC unroll 8
  for (int v = 0; v < V; ++v) x[v] = L::load(recv + v * W) + L::load(send + v * W);
  for (int k = 0; k < channels; ++k, c += stride) {
    const auto value = L::all(values[k]);
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) x[v] += value * L::load(c + v * W);
  }
#pragma GCC unroll 8
  for (int v = 0; v < V; ++v) L::store(u + v * W, L::relu(x[v]));
}

/// The same, whole; or of a row of the memory.
template <int W>
NPQ_INLINE void message_input(const MessageTile& t, int r, int sender, float* u) {
  using L = Lanes<W>;
  const int P = t.padded, R = t.channels;
  if (sender >= t.nodes) {
    const float* row = t.memory + at(memory_row(t, r, sender), P);
    for (int h = 0; h < P; h += W) L::store(u + h, L::relu(L::load(row + h)));
    return;
  }
  const float *recv = t.recv + at(r, P), *send = t.send + at(sender, P), *c = t.c;
  const float* values = pair_values(t, sender, r);
  int h = 0;
  for (; h + 8 * W <= P; h += 8 * W)
    message_input_block<W, 8>(recv + h, send + h, values, R, c + h, P, u + h);
  for (; h < P; h += 2 * W)
    message_input_block<W, 2>(recv + h, send + h, values, R, c + h, P, u + h);
}

// A stride that is no power of two spreads the rows over all sets of the cache.
NPQ_INLINE int message_stride(int padded) { return padded + 16; }

/// Calls body(m, n, sums[m][n]) for the first `count` rows, with all indices known to the compiler.
template <class Floats, int M, int N, class Body>
NPQ_INLINE void for_each_sum(int count, Floats (&sums)[M][N], const Body& body) {
#pragma GCC unroll 16
  for (int m = 0; m < M; ++m) {
    if (m >= count) break;
#pragma GCC unroll 4
    for (int n = 0; n < N; ++n) body(m, n, sums[m][n]);
  }
}

/// relu of the first `count` rows of sums, to rows of stride `ld`.
template <class L, class Floats, int M, int N>
NPQ_INLINE void store_relu(Floats (&sums)[M][N], int count, float* to, int ld) {
  constexpr int W = sizeof(Floats) / sizeof(float);
  for_each_sum(count, sums, [&](int m, int n, Floats sum) NPQ_INLINE_LAMBDA {
    L::store(to + m * ld + n * W, L::relu(sum));
  });
}

}  // namespace
}  // namespace npq::kernels
