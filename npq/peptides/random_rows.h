#pragma once
#include <cstdint>
#include <random>

#include "npq/base/split_mix.h"

namespace npq::peptides {

/// Random numbers for one purpose and one row, which depend on (seed, purpose, row) alone: the
/// 64-bit Mersenne twister, whose outputs the C++ standard fixes, and our own ways of using them,
/// since it does not fix distributions.
class RowStream {
 public:
  RowStream(std::uint64_t seed, std::uint64_t purpose, std::uint64_t row)
      : engine_(mix(mix(mix(seed) + purpose) + row)) {}

  /// [0, 1), 53 bits.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  /// 0 to count - 1.
  std::uint64_t below(std::uint64_t count) {
    return static_cast<std::uint64_t>(uniform() * static_cast<double>(count));
  }

 private:
  static std::uint64_t mix(std::uint64_t x) { return split_mix(x); }
  std::mt19937_64 engine_;
};

inline constexpr std::uint64_t kSequencePurpose = 1, kSplitPurpose = 2;

}  // namespace npq::peptides
