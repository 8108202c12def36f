#pragma once
#include "npq/kernels/lanes/lanes.h"

// The eight tile registers of AMX, or plain loops that compute what they would. For files of one
// instruction set alone, see lanes.h.
namespace npq::kernels {
namespace {

constexpr int kTileRows = 16;
constexpr int kTileBytes = 64;  // per row: 16 floats or 32 bfloat16
constexpr int kTileDepth = 32;  // bfloat16 numbers that one product sums

#if defined(__AMX_BF16__) || defined(__AMXBF16__)  // as GCC and clang call it

/// All eight registers as 16 rows of 64 bytes, from construction to destruction, for this thread.
/// GCC's intrinsics want the register's number as a literal.
class HardwareTiles {
 public:
  HardwareTiles() {
    alignas(64) std::uint8_t config[64] = {};
    config[0] = 1;  // palette
    for (int t = 0; t < 8; ++t) {
      config[16 + 2 * t] = kTileBytes;
      config[48 + t] = kTileRows;
    }
    _tile_loadconfig(config);
  }
  ~HardwareTiles() { _tile_release(); }
  HardwareTiles(const HardwareTiles&) = delete;
  HardwareTiles& operator=(const HardwareTiles&) = delete;

  NPQ_INLINE void zero_sums() {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  }
  NPQ_INLINE void load_sums(const float* c, int ld) {
    _tile_loadd(0, c, ld * 4);
    _tile_loadd(1, c + 16, ld * 4);
    _tile_loadd(2, c + 16 * ld, ld * 4);
    _tile_loadd(3, c + 16 * ld + 16, ld * 4);
  }
  NPQ_INLINE void store_sums(float* c, int ld) {
    _tile_stored(0, c, ld * 4);
    _tile_stored(1, c + 16, ld * 4);
    _tile_stored(2, c + 16 * ld, ld * 4);
    _tile_stored(3, c + 16 * ld + 16, ld * 4);
  }
  NPQ_INLINE void load_left(const std::uint16_t* top, const std::uint16_t* bottom) {
    _tile_loadd(4, top, kTileBytes);
    _tile_loadd(5, bottom, kTileBytes);
  }
  NPQ_INLINE void load_right(const std::uint16_t* first, const std::uint16_t* second) {
    _tile_loadd(6, first, kTileBytes);
    _tile_loadd(7, second, kTileBytes);
  }
  NPQ_INLINE void multiply() {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
};

#endif

/// The same in plain loops. Left tiles hold rows of 32 numbers; right tiles hold, for each pair of
/// rows, 16 columns with both numbers side by side.
class EmulatedTiles {
 public:
  void zero_sums() {
    for (auto& sum : sums_) __builtin_memset(sum, 0, sizeof sum);
  }
  void load_sums(const float* c, int ld) {
    for (int i = 0; i < 32; ++i) {
      for (int j = 0; j < 32; ++j) at(i, j) = c[i * ld + j];
    }
  }
  void store_sums(float* c, int ld) {
    for (int i = 0; i < 32; ++i) {
      for (int j = 0; j < 32; ++j) c[i * ld + j] = at(i, j);
    }
  }
  void load_left(const std::uint16_t* top, const std::uint16_t* bottom) {
    __builtin_memcpy(left_[0], top, sizeof left_[0]);
    __builtin_memcpy(left_[1], bottom, sizeof left_[1]);
  }
  void load_right(const std::uint16_t* first, const std::uint16_t* second) {
    __builtin_memcpy(right_[0], first, sizeof right_[0]);
    __builtin_memcpy(right_[1], second, sizeof right_[1]);
  }
  void multiply() {
    for (int i = 0; i < 32; ++i) {
      for (int k = 0; k < 16; ++k) {
        const std::uint16_t* a = left_[i / 16] + (i % 16) * 32 + 2 * k;
        for (int j = 0; j < 32; ++j) {
          const std::uint16_t* b = right_[j / 16] + k * 32 + 2 * (j % 16);
          at(i, j) += number(a[0]) * number(b[0]);
          at(i, j) += number(a[1]) * number(b[1]);
        }
      }
    }
  }

 private:
  static float number(std::uint16_t bits) {
    const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
    float x;
    __builtin_memcpy(&x, &wide, sizeof x);
    return x;
  }
  float& at(int i, int j) { return sums_[2 * (i / 16) + j / 16][16 * (i % 16) + j % 16]; }

  float sums_[4][256];
  std::uint16_t left_[2][512], right_[2][512];
};

}  // namespace
}  // namespace npq::kernels
