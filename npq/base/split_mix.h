#pragma once
#include <cstdint>

namespace npq {

/// SplitMix64's finisher: neighbouring numbers become unlike ones.
constexpr std::uint64_t split_mix_finish(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// SplitMix64: the next number of a stream that is its state. Enough to draw samples, and the same
/// on every machine.
constexpr std::uint64_t split_mix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  return split_mix_finish(state);
}

}  // namespace npq
