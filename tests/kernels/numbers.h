#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "npq/base/simd.h"

// What the suites of all kernels share.
namespace npq::test {

/// Lengths around the vector widths of all levels.
inline const std::vector<int> kAwkwardSizes = {1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64};

/// An array with NaN (for integers: a pattern) before and behind it. Reading there spoils results;
/// writing there is found by intact().
template <class Number>
class Guarded {
 public:
  explicit Guarded(std::size_t size, Number value = Number(0)) : size_(size) {
    all_.resize(kGuard, guard());
    all_.resize(kGuard + size, value);
    all_.resize(kGuard + size + kGuard, guard());
  }

  /// Whole numbers in [-most, most]: sums and products of few of them are exact at every level.
  static Guarded whole(std::size_t size, int most, std::mt19937& random) {
    Guarded array(size);
    std::uniform_int_distribution<int> draw(-most, most);
    for (auto& x : array) x = Number(draw(random));
    return array;
  }
  static Guarded normal(std::size_t size, double scale, std::mt19937& random) {
    Guarded array(size);
    std::normal_distribution<double> draw(0, scale);
    for (auto& x : array) x = Number(draw(random));
    return array;
  }
  template <class Other>
  static Guarded from(const Guarded<Other>& other) {
    Guarded array(other.size());
    for (std::size_t i = 0; i < other.size(); ++i) array[i] = Number(other[i]);
    return array;
  }

  Number* data() { return all_.data() + kGuard; }
  const Number* data() const { return all_.data() + kGuard; }
  std::size_t size() const { return size_; }
  Number& operator[](std::size_t i) { return all_[kGuard + i]; }
  const Number& operator[](std::size_t i) const { return all_[kGuard + i]; }
  Number* begin() { return data(); }
  Number* end() { return data() + size_; }
  const Number* begin() const { return data(); }
  const Number* end() const { return data() + size_; }

  bool intact() const {
    const Number expected = guard();
    for (std::size_t i = 0; i < kGuard; ++i) {
      if (std::memcmp(&all_[i], &expected, sizeof expected) != 0) return false;
      if (std::memcmp(&all_[kGuard + size_ + i], &expected, sizeof expected) != 0) return false;
    }
    return true;
  }
  bool same_bits(const Guarded& other) const {
    return size_ == other.size_ && std::memcmp(data(), other.data(), size_ * sizeof(Number)) == 0;
  }

 private:
  static constexpr std::size_t kGuard = 64;
  static Number guard() {
    if constexpr (std::numeric_limits<Number>::has_quiet_NaN)
      return std::numeric_limits<Number>::quiet_NaN();
    else
      return Number(0x5a5a);
  }
  std::vector<Number> all_;
  std::size_t size_;
};

/// |a - b| / |b| in Euclidean norms; infinite if a has a NaN.
template <class A, class B>
double relative_distance(const Guarded<A>& a, const Guarded<B>& b) {
  double difference = 0, length = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += (double(a[i]) - double(b[i])) * (double(a[i]) - double(b[i]));
    length += double(b[i]) * double(b[i]);
  }
  const double distance = std::sqrt(difference) / (length > 0 ? std::sqrt(length) : 1);
  return std::isfinite(distance) ? distance : std::numeric_limits<double>::infinity();
}

inline bool machine_has(SimdLevel level) {
  for (const auto there : available_simd_levels()) {
    if (there == level) return true;
  }
  return false;
}

/// Calls body(name, loops) for what this machine can run: `wide` are the loops for AVX-512 on
/// registers of AVX2.
template <class Loops, class Body>
void for_each_level(const Loops& avx2, const Loops& wide, const Loops& avx512, const Body& body) {
  if (machine_has(SimdLevel::Avx2)) body("avx2", avx2), body("wide", wide);
  if (machine_has(SimdLevel::Avx512)) body("avx512", avx512);
}

}  // namespace npq::test
