#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace npq::random {

/// numpy's legacy RandomState, bit for bit: MT19937 seeded with one integer, and the methods whose
/// streams numpy has frozen. Calls of any kind may be interleaved: nothing is kept back between
/// them but one Gaussian. Arrays are drawn element by element, so an array of m is m single draws.
class RandomState {
 public:
  static constexpr std::size_t kWords = 624;

  explicit RandomState(std::uint32_t seed);

  std::uint32_t next_u32() {
    if (state_.position == kWords) refill();
    return temper(state_.words[state_.position++]);
  }
  /// Two outputs, the first is the high half.
  std::uint64_t next_u64() {
    const std::uint64_t high = next_u32();
    return high << 32 | next_u32();
  }
  /// [0, 1) in steps of 2^-53; two outputs.
  double random_sample() {
    const std::uint32_t first = next_u32();
    return unit(first, next_u32());
  }

  /// low + (high - low) * random_sample().
  double uniform(double low, double high);
  void uniform(double low, double high, std::span<double> out);
  std::vector<double> uniform(double low, double high, std::size_t count);

  /// low..high-1 by masked rejection; a range of one draws nothing.
  std::int64_t randint(std::int64_t low, std::int64_t high);
  void randint(std::int64_t low, std::int64_t high, std::span<std::int64_t> out);
  std::vector<std::int64_t> randint(std::int64_t low, std::int64_t high, std::size_t count);

  /// Successes in n tries of probability p: inversion, or BTPE where n * min(p, 1-p) > 30.
  std::int64_t binomial(std::int64_t n, double p);
  /// The same `out.size()` times, as doubles: what a random graph keeps. Fastest for n = 1.
  void binomial(std::int64_t n, double p, std::span<double> out);
  std::vector<std::int64_t> binomial(std::int64_t n, double p, std::size_t count);

  std::vector<std::int64_t> permutation(std::int64_t n);
  void shuffle(std::span<std::int64_t> values);
  std::int64_t choice(std::int64_t n) { return randint(0, n); }
  /// Index i with probability p[i]; one double.
  std::int64_t weighted_choice(std::span<const double> p);
  std::vector<std::int64_t> choice_without_replacement(std::int64_t n, std::size_t count);

  double standard_normal();
  double normal(double mean, double deviation);

  /// The state words, the position in them (624: used up), and the kept-back Gaussian: enough to
  /// go on from a checkpoint, and the same numbers that numpy's get_state() shows.
  struct State {
    std::array<std::uint32_t, kWords> words;
    std::uint32_t position;
    std::optional<double> gaussian;
    bool operator==(const State&) const = default;
  };
  const State& state() const { return state_; }
  void set_state(const State& state);

 private:
  static std::uint32_t temper(std::uint32_t word) {
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680u;
    word ^= word << 15 & 0xefc60000u;
    return word ^ word >> 18;
  }
  /// 27 bits of the first output and 26 of the second. Both fit an int, which converts faster, and
  /// no step rounds.
  static double unit(std::uint32_t first, std::uint32_t second) {
    const auto a = static_cast<std::int32_t>(first >> 5);
    const auto b = static_cast<std::int32_t>(second >> 6);
    return (a * 67108864.0 + b) / 9007199254740992.0;
  }

  void refill();
  std::uint64_t bounded(std::uint64_t range);  // 0..range by masked rejection

  State state_;
};

}  // namespace npq::random
