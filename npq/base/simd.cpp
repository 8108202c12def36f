#include "npq/base/simd.h"

#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

#include "npq/base/error.h"
#include "npq/base/names.h"

namespace npq {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"reference", "avx2", "avx512", "amx"};
constexpr int kNotForced = -1;
std::atomic<int> forced{kNotForced};

/// Linux hands out the tile registers, 8 KB per thread, only to processes that ask for them.
bool tiles_granted() {
  constexpr int kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

bool has_tiles() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  constexpr unsigned kTile = 1u << 24, kTileBf16 = 1u << 22;
  return (d & kTile) && (d & kTileBf16) && tiles_granted();
}

std::vector<SimdLevel> detect() {
  __builtin_cpu_init();
  std::vector<SimdLevel> levels = {SimdLevel::Reference};
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return levels;
  levels.push_back(SimdLevel::Avx2);
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl")) {
    return levels;
  }
  levels.push_back(SimdLevel::Avx512);
  if (__builtin_cpu_supports("avx512bf16") && has_tiles()) levels.push_back(SimdLevel::Amx);
  return levels;
}

void require_available(SimdLevel level, std::string_view asked_by) {
  const auto levels = available_simd_levels();
  if (std::find(levels.begin(), levels.end(), level) != levels.end()) return;
  throw Error(
      "{} asks for the SIMD level '{}', but this machine has no more than '{}'; choose that or a "
      "lower one",
      asked_by, simd_level_name(level), simd_level_name(levels.back()));
}

SimdLevel from_environment() {
  const char* name = std::getenv("NPQ_SIMD");
  if (!name || !*name) return available_simd_levels().back();
  const SimdLevel level = parse_simd_level(name);
  require_available(level, "the environment variable NPQ_SIMD");
  return level;
}

}  // namespace

std::string_view simd_level_name(SimdLevel level) {
  return kNames.at(static_cast<std::size_t>(level));
}

SimdLevel parse_simd_level(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) throw unknown_name("SIMD level", name, kNames);
  return static_cast<SimdLevel>(found - kNames.begin());
}

std::span<const SimdLevel> available_simd_levels() {
  static const std::vector<SimdLevel> levels = detect();
  return levels;
}

SimdLevel active_simd_level() {
  const int level = forced.load(std::memory_order_relaxed);
  if (level != kNotForced) return static_cast<SimdLevel>(level);
  static const SimdLevel first = from_environment();
  return first;
}

ScopedSimdLevel::ScopedSimdLevel(SimdLevel level) {
  require_available(level, "this call");
  before_ = forced.exchange(static_cast<int>(level));
}

ScopedSimdLevel::~ScopedSimdLevel() { forced = before_; }

}  // namespace npq
