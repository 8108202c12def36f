#pragma once
#include <span>
#include <string_view>

namespace npq {

/// Which instructions the kernels use. Reference is plain code, the specification of all others;
/// each level includes those above it.
enum class SimdLevel {
  Reference,
  Avx2,    // AVX2 and FMA
  Avx512,  // AVX-512 F, BW, DQ, VL
  Amx,     // Avx512, and bfloat16 tiles that the system lets this process use
};

std::string_view simd_level_name(SimdLevel level);

/// reference, avx2, avx512 or amx; anything else is a UsageError that lists them.
SimdLevel parse_simd_level(std::string_view name);

/// What this machine and its system can run, lowest first. Found out once.
std::span<const SimdLevel> available_simd_levels();

/// The level of every kernel call from now on: the highest available one, unless the environment
/// variable NPQ_SIMD names another (read once) or a ScopedSimdLevel is alive. A level that the
/// machine lacks is an Error.
SimdLevel active_simd_level();

/// Makes a level the active one while it lives, for all threads of the process: start no two of
/// them at the same time. `--simd` is one in main().
class ScopedSimdLevel {
 public:
  explicit ScopedSimdLevel(SimdLevel level);
  ~ScopedSimdLevel();
  ScopedSimdLevel(const ScopedSimdLevel&) = delete;
  ScopedSimdLevel& operator=(const ScopedSimdLevel&) = delete;

 private:
  int before_;
};

}  // namespace npq
