#pragma once
#include <cstdint>
#include <random>
#include <string_view>

// Randomness by name. Each use of random numbers owns a stream, seeded by what the numbers are
// for; so adding a consumer or a parameter changes no other's numbers, and a training step can be
// repeated from its number alone.
namespace npq::ops {

/// FNV-1a (64 bit) over the eight bytes of `seed` (lowest first), the text and a zero byte, then
/// the finisher of SplitMix64. Chain the calls for several parts: derive_seed(derive_seed(seed,
/// "init"), name).
std::uint64_t derive_seed(std::uint64_t seed, std::string_view text);
std::uint64_t derive_seed(std::uint64_t seed, std::string_view text, std::uint64_t number);

/// The 64-bit Mersenne twister, whose outputs the C++ standard fixes, and distributions of our own,
/// since it does not fix those.
class Stream {
 public:
  explicit Stream(std::uint64_t seed) : engine_(seed) {}

  double uniform();           // [0, 1), 53 bits
  double normal();            // Box and Muller, one value per call
  double truncated_normal();  // a normal number within [-2, 2]: drawn again until it is

 private:
  std::mt19937_64 engine_;
};

}  // namespace npq::ops
