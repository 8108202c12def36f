#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace npq::test {

/// Plain random numbers for law tests: the laws must hold for any, so nothing depends on the
/// generator.
class RandomInputs {
 public:
  explicit RandomInputs(std::uint32_t seed) : engine_(seed) {}

  double uniform() { return engine_() / 4294967296.0; }  // [0, 1)
  int below(int limit) { return static_cast<int>(uniform() * limit); }

  std::vector<double> uniform(int count) {
    std::vector<double> values(count);
    for (double& value : values) value = uniform();
    return values;
  }
  /// Multiples of 1/4 in [0, 2): so few that many are equal.
  std::vector<double> crowded(int count) {
    std::vector<double> values(count);
    for (double& value : values) value = below(8) / 4.0;
    return values;
  }
  /// Crowded one time in three.
  std::vector<double> keys(int count) { return below(3) == 0 ? crowded(count) : uniform(count); }

 private:
  std::mt19937 engine_;
};

inline constexpr int kLargest = 40;

/// Calls law(random, size) 240 times, the sizes running from `smallest` to kLargest again and
/// again.
template <class Law>
void for_many_sizes(int smallest, const Law& law) {
  for (int run = 0; run < 240; ++run) {
    const int size = smallest + run % (kLargest - smallest + 1);
    SCOPED_TRACE(::testing::Message() << "run " << run << ", size " << size);
    RandomInputs random(run);
    law(random, size);
    if (::testing::Test::HasFailure()) return;  // one counterexample is enough
  }
}

}  // namespace npq::test
