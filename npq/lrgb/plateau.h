#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>

namespace npq::lrgb {

/// Lowers the learning rate when an error stops falling, as PyTorch's ReduceLROnPlateau does (mode
/// min, relative threshold 1e-4, no cooldown).
struct Plateau {
  double rate = 1e-3;
  double best = std::numeric_limits<double>::infinity();
  std::int64_t bad = 0;  // epochs since the best

  /// One epoch later; `error` is that of the validation set.
  void step(double error, std::int64_t patience, double factor, double least) {
    constexpr double kThreshold = 1e-4, kSmallestChange = 1e-8;
    if (error < best * (1 - kThreshold)) {
      best = error;
      bad = 0;
    } else {
      ++bad;
    }
    if (bad <= patience) return;
    const double lower = std::max(rate * factor, least);
    if (rate - lower > kSmallestChange) rate = lower;
    bad = 0;
  }
};

}  // namespace npq::lrgb
