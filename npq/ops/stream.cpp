#include "npq/ops/stream.h"

#include <cmath>
#include <numbers>

namespace npq::ops {
namespace {

constexpr std::uint64_t kFnvOffset = 14695981039346656037ull;
constexpr std::uint64_t kFnvPrime = 1099511628211ull;

std::uint64_t add_bytes(std::uint64_t hash, std::uint64_t number) {
  for (int i = 0; i < 8; ++i) hash = (hash ^ ((number >> (8 * i)) & 0xff)) * kFnvPrime;
  return hash;
}

std::uint64_t add_text(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * kFnvPrime;
  return hash * kFnvPrime;  // the closing zero byte: "ab","c" and "a","bc" differ
}

std::uint64_t finish(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

}  // namespace

std::uint64_t derive_seed(std::uint64_t seed, std::string_view text) {
  return finish(add_text(add_bytes(kFnvOffset, seed), text));
}

std::uint64_t derive_seed(std::uint64_t seed, std::string_view text, std::uint64_t number) {
  return finish(add_bytes(add_text(add_bytes(kFnvOffset, seed), text), number));
}

double Stream::uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

double Stream::normal() {
  const double radius = std::sqrt(-2 * std::log1p(-uniform()));  // of 1-u, which is never 0
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

double Stream::truncated_normal() {
  double x = normal();
  while (std::abs(x) > 2) x = normal();
  return x;
}

}  // namespace npq::ops
