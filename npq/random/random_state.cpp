#include "npq/random/random_state.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "npq/base/error.h"

namespace npq::random {
namespace {

constexpr std::size_t kWords = RandomState::kWords;
constexpr std::size_t kShift = 397;

/// The recurrence of MT19937: the top bit of one word and the rest of the next, twisted, onto a
/// third.
std::uint32_t twist(std::uint32_t top, std::uint32_t rest, std::uint32_t far) {
  const std::uint32_t mixed = (top & 0x80000000u) | (rest & 0x7fffffffu);
  return far ^ mixed >> 1 ^ ((0u - (mixed & 1u)) & 0x9908b0dfu);
}

/// The smallest 2^k - 1 that covers `range`.
std::uint64_t mask_for(std::uint64_t range) {
  return range == 0 ? 0 : ~std::uint64_t{0} >> std::countl_zero(range);
}

/// high - 1 - low, also if the difference does not fit a signed number.
std::uint64_t range_of(std::int64_t low, std::int64_t high) {
  if (low >= high) {
    throw UsageError("randint draws from [{}, {}), which is empty; high must be above low", low,
                     high);
  }
  return static_cast<std::uint64_t>(high) - 1 - static_cast<std::uint64_t>(low);
}

std::int64_t shifted(std::int64_t low, std::uint64_t offset) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

double span_of(double low, double high) {
  const double difference = high - low;
  if (!std::isfinite(difference)) {
    throw UsageError("uniform draws from [{}, {}); both ends and their difference must be finite",
                     low, high);
  }
  return difference;
}

}  // namespace

RandomState::RandomState(std::uint32_t seed) {
  state_.words[0] = seed;
  for (std::uint32_t i = 1; i < kWords; ++i) {
    const std::uint32_t previous = state_.words[i - 1];
    state_.words[i] = 1812433253u * (previous ^ previous >> 30) + i;
  }
  state_.position = kWords;
}

void RandomState::set_state(const State& state) {
  if (state.position > kWords) {
    throw UsageError(
        "a random state's position is {}, but it has {} words; the checkpoint is "
        "damaged, use another",
        state.position, kWords);
  }
  state_ = state;
}

// Three loops instead of one with a modulo: each then is a plain array loop that vectorises.
void RandomState::refill() {
  auto& w = state_.words;
  for (std::size_t i = 0; i < kWords - kShift; ++i) w[i] = twist(w[i], w[i + 1], w[i + kShift]);
  for (std::size_t i = kWords - kShift; i < kWords - 1; ++i) {
    w[i] = twist(w[i], w[i + 1], w[i - (kWords - kShift)]);
  }
  w[kWords - 1] = twist(w[kWords - 1], w[0], w[kShift - 1]);
  state_.position = 0;
}

double RandomState::uniform(double low, double high) {
  const double difference = span_of(low, high);
  return low + difference * random_sample();
}

void RandomState::uniform(double low, double high, std::span<double> out) {
  const double difference = span_of(low, high);
  std::size_t done = 0;
  while (done < out.size()) {
    if (state_.position == kWords) refill();
    // All pairs of this block at once; an odd last word makes a pair with the next block.
    const std::size_t pairs = std::min(out.size() - done, (kWords - state_.position) / 2);
    if (pairs == 0) {
      out[done++] = low + difference * random_sample();
      continue;
    }
    const std::uint32_t* words = state_.words.data() + state_.position;
    double* values = out.data() + done;
    for (std::size_t i = 0; i < pairs; ++i) {
      values[i] = low + difference * unit(temper(words[2 * i]), temper(words[2 * i + 1]));
    }
    state_.position += static_cast<std::uint32_t>(2 * pairs);
    done += pairs;
  }
}

std::vector<double> RandomState::uniform(double low, double high, std::size_t count) {
  std::vector<double> values(count);
  uniform(low, high, values);
  return values;
}

std::uint64_t RandomState::bounded(std::uint64_t range) {
  if (range == 0) return 0;
  const std::uint64_t mask = mask_for(range);
  const bool narrow = range <= 0xffffffffu;
  std::uint64_t value;
  do {
    value = (narrow ? next_u32() : next_u64()) & mask;
  } while (value > range);
  return value;
}

std::int64_t RandomState::randint(std::int64_t low, std::int64_t high) {
  return shifted(low, bounded(range_of(low, high)));
}

void RandomState::randint(std::int64_t low, std::int64_t high, std::span<std::int64_t> out) {
  const std::uint64_t range = range_of(low, high);
  for (auto& value : out) value = shifted(low, bounded(range));
}

std::vector<std::int64_t> RandomState::randint(std::int64_t low, std::int64_t high,
                                               std::size_t count) {
  std::vector<std::int64_t> values(count);
  randint(low, high, values);
  return values;
}

std::vector<std::int64_t> RandomState::permutation(std::int64_t n) {
  if (n < 0) throw UsageError("a permutation of {} elements was asked for; give 0 or more", n);
  std::vector<std::int64_t> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), std::int64_t{0});
  shuffle(values);
  return values;
}

// Fisher-Yates from the top.
void RandomState::shuffle(std::span<std::int64_t> values) {
  for (std::size_t i = values.size(); i-- > 1;) std::swap(values[i], values[bounded(i)]);
}

std::int64_t RandomState::weighted_choice(std::span<const double> p) {
  const bool usable = std::all_of(p.begin(), p.end(), [](double x) { return x >= 0; });
  std::vector<double> cumulative(p.size());
  std::partial_sum(p.begin(), p.end(), cumulative.begin());
  if (!usable || p.empty() || !(std::abs(cumulative.back() - 1) < 1e-8)) {
    throw UsageError(
        "the weights of a choice must be 0 or more and add up to 1; these {} add up "
        "to {}",
        p.size(), p.empty() ? 0.0 : cumulative.back());
  }
  const double total = cumulative.back();
  for (double& value : cumulative) value /= total;
  const double u = random_sample();
  return std::upper_bound(cumulative.begin(), cumulative.end(), u) - cumulative.begin();
}

std::vector<std::int64_t> RandomState::choice_without_replacement(std::int64_t n,
                                                                  std::size_t count) {
  if (n < 0 || count > static_cast<std::uint64_t>(n)) {
    throw UsageError("cannot choose {} different elements out of {}; choose at most {}", count, n,
                     std::max<std::int64_t>(n, 0));
  }
  auto values = permutation(n);
  values.resize(count);
  return values;
}

// Polar Box-Muller: a point in the unit circle gives two Gaussians; the second waits for its call.
double RandomState::standard_normal() {
  if (state_.gaussian) {
    const double kept = *state_.gaussian;
    state_.gaussian.reset();
    return kept;
  }
  double x, y, square;
  do {
    x = 2.0 * random_sample() - 1.0;
    y = 2.0 * random_sample() - 1.0;
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  const double factor = std::sqrt(-2.0 * std::log(square) / square);
  state_.gaussian = factor * x;
  return factor * y;
}

double RandomState::normal(double mean, double deviation) {
  if (!(deviation >= 0)) {
    throw UsageError("a normal's deviation is {}; give 0 or more", deviation);
  }
  return mean + deviation * standard_normal();
}

}  // namespace npq::random
