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
  return t.kept + (static_cast<std::size_t>(r) * (t.nodes + t.own_memory) + sender) * t.hidden;
}

NPQ_INLINE const float* pair_values(const MessageTile& t, int sender, int r) {
  return t.x + (static_cast<std::size_t>(sender) * t.nodes + r) * t.channels;
}

/// u = relu(recv[r] + send[s] + X[s,r] C), or of a row of the memory.
template <int W>
NPQ_INLINE void message_input(const MessageTile& t, int r, int sender, float* u) {
  using L = Lanes<W>;
  const int P = t.padded;
  if (sender >= t.nodes) {
    const float* row = t.memory + static_cast<std::size_t>(memory_row(t, r, sender)) * P;
    for (int h = 0; h < P; h += W) L::store(u + h, L::relu(L::load(row + h)));
    return;
  }
  const float* recv = t.recv + static_cast<std::size_t>(r) * P;
  const float* send = t.send + static_cast<std::size_t>(sender) * P;
  const float* values = pair_values(t, sender, r);
  for (int h = 0; h < P; h += 2 * W) {
    auto left = L::load(recv + h) + L::load(send + h);
    auto right = L::load(recv + h + W) + L::load(send + h + W);
    const float* c = t.c + h;
    for (int k = 0; k < t.channels; ++k, c += P) {
      const auto value = L::all(values[k]);
      left += value * L::load(c);
      right += value * L::load(c + W);
    }
    L::store(u + h, L::relu(left));
    L::store(u + h + W, L::relu(right));
  }
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

}  // namespace
}  // namespace npq::kernels
