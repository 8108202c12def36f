#include <algorithm>
#include <array>
#include <cmath>

#include "npq/base/error.h"
#include "npq/random/random_state.h"

// Binomial numbers as numpy's legacy generator makes them. Every operation and its order matter:
// a different rounding may accept what numpy rejects, and shift the rest of the stream.
namespace npq::random {
namespace {

/// Walks up the distribution until the drawn mass is used up. p is at most 1/2.
struct Inversion {
  Inversion(std::int64_t n, double p)
      : n(n),
        p(p),
        q(1.0 - p),
        none(std::exp(n * std::log(q))),
        bound(static_cast<std::int64_t>(
            std::min<double>(n, n * p + 10.0 * std::sqrt(n * p * q + 1)))) {}

  std::int64_t draw(RandomState& random) const {
    double mass = random.random_sample();
    double px = none;
    std::int64_t x = 0;
    while (mass > px) {
      ++x;
      if (x > bound) {
        x = 0;
        px = none;
        mass = random.random_sample();
      } else {
        mass -= px;
        px = ((n - x + 1) * p * px) / (x * q);
      }
    }
    return x;
  }

  /// For n = 1 the walk is one comparison, unless rounding lets the largest possible draw fall off
  /// the far end and be drawn again.
  bool is_one_comparison() const {
    constexpr double kLargest = 1.0 - 0x1p-53;
    return n == 1 && !(kLargest > none && kLargest - none > (p * none) / q);
  }

  std::int64_t n;
  double p, q, none;  // none: the chance of no success at all
  std::int64_t bound;
};

/// BTPE [Kachitvichyanukul and Schmeiser 1988]: rejection from a hat made of a triangle over the
/// mode, the parallelograms beside it, and two exponential tails. p is at most 1/2, n * p above 30.
class Btpe {
 public:
  Btpe(std::int64_t n, double p)
      : n_(n), r_(std::min(p, 1.0 - p)), q_(1.0 - r_), variance_(n * r_ * q_) {
    const double centre = n * r_ + r_;
    mode_ = static_cast<std::int64_t>(std::floor(centre));
    half_width_ = std::floor(2.195 * std::sqrt(n * r_ * q_) - 4.6 * q_) + 0.5;
    middle_ = mode_ + 0.5;
    left_ = middle_ - half_width_;
    right_ = middle_ + half_width_;
    rise_ = 0.134 + 20.5 / (15.3 + mode_);
    left_rate_ = tail_rate((centre - left_) / (centre - left_ * r_));
    right_rate_ = tail_rate((right_ - centre) / (right_ * q_));
    triangle_ = half_width_;
    parallelograms_ = triangle_ * (1.0 + 2.0 * rise_);
    left_tail_ = parallelograms_ + rise_ / left_rate_;
    right_tail_ = left_tail_ + rise_ / right_rate_;
  }

  std::int64_t draw(RandomState& random) const {
    while (true) {
      const double u = random.random_sample() * right_tail_;
      double v = random.random_sample();
      std::int64_t y;
      if (u <= triangle_) {  // lies wholly under the distribution
        return static_cast<std::int64_t>(std::floor(middle_ - half_width_ * v + u));
      }
      if (u <= parallelograms_) {
        const double x = left_ + (u - triangle_) / rise_;
        v = v * rise_ + 1.0 - std::fabs(mode_ - x + 0.5) / half_width_;
        if (v > 1.0) continue;
        y = static_cast<std::int64_t>(std::floor(x));
      } else if (v == 0.0) {
        continue;  // the tails need log(v)
      } else if (u <= left_tail_) {
        y = static_cast<std::int64_t>(std::floor(left_ + std::log(v) / left_rate_));
        if (y < 0) continue;
        v = v * (u - parallelograms_) * left_rate_;
      } else {
        y = static_cast<std::int64_t>(std::floor(right_ - std::log(v) / right_rate_));
        if (y > n_) continue;
        v = v * (u - left_tail_) * right_rate_;
      }
      if (accepts(y, v)) return y;
    }
  }

 private:
  static double tail_rate(double a) { return a * (1.0 + a / 2.0); }

  bool accepts(std::int64_t y, double v) const {
    const std::int64_t k = std::abs(y - mode_);
    if (k > 20 && k < variance_ / 2.0 - 1) return accepts_far(y, k, v);
    return v <= ratio_to_mode(y);
  }

  /// f(y) / f(mode), one factor per step.
  double ratio_to_mode(std::int64_t y) const {
    const double s = r_ / q_;
    const double a = s * (n_ + 1);
    double ratio = 1.0;
    for (std::int64_t i = mode_ + 1; i <= y; ++i) ratio *= a / i - s;
    for (std::int64_t i = y + 1; i <= mode_; ++i) ratio /= a / i - s;
    return ratio;
  }

  /// Far from the mode: two bounds on log f first, Stirling's series only between them.
  bool accepts_far(std::int64_t y, std::int64_t k, double v) const {
    const double rho =
        (k / variance_) * ((k * (k / 3.0 + 0.625) + 0.16666666666666666) / variance_ + 0.5);
    const double t = -static_cast<double>(k) * k / (2 * variance_);
    const double log_v = std::log(v);
    if (log_v < t - rho) return true;
    if (log_v > t + rho) return false;
    const double x = y + 1, f = mode_ + 1, z = n_ + 1 - mode_, w = n_ - y + 1;
    return log_v <= middle_ * std::log(f / x) + (n_ - mode_ + 0.5) * std::log(z / w) +
                        (y - mode_) * std::log(w * r_ / (x * q_)) + stirling(f) + stirling(z) +
                        stirling(x) + stirling(w);
  }

  static double stirling(double x) {
    const double x2 = x * x;
    return (13680. - (462. - (132. - (99. - 140. / x2) / x2) / x2) / x2) / x / 166320.;
  }

  std::int64_t n_, mode_;
  double r_, q_, variance_;
  double half_width_, middle_, left_, right_, rise_, left_rate_, right_rate_;
  double triangle_, parallelograms_, left_tail_, right_tail_;  // areas of the hat, running sums
};

void check(std::int64_t n, double p) {
  if (n < 0 || !(p >= 0 && p <= 1)) {
    throw UsageError(
        "a binomial of {} tries with probability {} was asked for; give 0 or more "
        "tries and a probability from 0 to 1",
        n, p);
  }
}

/// Calls take(successes) `count` times. Above 1/2 the failures are counted instead.
template <class Take>
void draw_each(RandomState& random, std::int64_t n, double p, std::size_t count, Take take) {
  if (n == 0 || p == 0) {
    for (std::size_t i = 0; i < count; ++i) take(i, 0);
    return;
  }
  const bool flipped = !(p <= 0.5);
  const double rarer = flipped ? 1.0 - p : p;
  const auto run = [&](const auto& law) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t x = law.draw(random);
      take(i, flipped ? n - x : x);
    }
  };
  if (rarer * n <= 30.0) {
    run(Inversion(n, rarer));
  } else {
    run(Btpe(n, rarer));
  }
}

}  // namespace

std::int64_t RandomState::binomial(std::int64_t n, double p) {
  check(n, p);
  std::int64_t drawn = 0;
  draw_each(*this, n, p, 1, [&](std::size_t, std::int64_t x) { drawn = x; });
  return drawn;
}

std::vector<std::int64_t> RandomState::binomial(std::int64_t n, double p, std::size_t count) {
  check(n, p);
  std::vector<std::int64_t> values(count);
  draw_each(*this, n, p, count, [&](std::size_t i, std::int64_t x) { values[i] = x; });
  return values;
}

void RandomState::binomial(std::int64_t n, double p, std::span<double> out) {
  check(n, p);
  if (n == 1 && p > 0) {
    const Inversion law(1, p <= 0.5 ? p : 1.0 - p);
    if (law.is_one_comparison()) {
      uniform(0.0, 1.0, out);
      const double hit = p <= 0.5 ? 1.0 : 0.0;
      for (double& value : out) value = value > law.none ? hit : 1.0 - hit;
      return;
    }
  }
  draw_each(*this, n, p, out.size(), [&](std::size_t i, std::int64_t x) { out[i] = x; });
}

}  // namespace npq::random
