#pragma once
#include <cstddef>

#include "npq/kernels/lanes/tiles.h"

// Matrix products of float32 on bfloat16 tiles. For files of one instruction set alone, see
// lanes.h.
namespace npq::kernels {
namespace {

/// x = hi + lo, both bfloat16, drops what lies below 2^-16 of x; then hi*hi + hi*lo + lo*hi, summed
/// in float32, is a product with a relative error of about 2^-16. The interface is VectorProduct's.
/// Blocks of 32 x 32 sums stay in four tiles while k runs.
template <class Tiles>
struct TileProduct {
  static constexpr int kLanes = 16;
  static constexpr int kWidth = 32;
  static constexpr int kRows = 32;
  using L = Lanes<16>;
  using Floats = L::Floats;
  using Ints = L::Ints;
  typedef std::uint32_t Bits __attribute__((vector_size(64)));
  typedef std::uint16_t Halves __attribute__((vector_size(32)));
  static constexpr int kTile = 512;  // bfloat16 numbers in a tile

  struct Session {
    explicit Session(float* scratch) : memory(scratch) {}
    Tiles tiles;
    float* memory;
  };

  /// Sums of one block, then the tiles of the left side, and of the right side of outer products.
  static std::size_t scratch_floats(int size, int most_rows) {
    return 32 * 32 + 2 * static_cast<std::size_t>(round_up(most_rows)) * size;
  }

  /// For every 16 columns and 32 rows a tile of hi and one of lo, in pairs of rows.
  static void pack(const float* w, int size, float* packed) {
    auto* out = reinterpret_cast<std::uint16_t*>(packed);
    for (int j = 0; j < size; j += 16) {
      for (int k = 0; k < size; k += kTileDepth, out += 2 * kTile) {
        pack_pairs(w + static_cast<std::size_t>(k) * size + j, size, kTileDepth, out, out + kTile);
      }
    }
  }

  template <class Finish>
  static NPQ_INLINE void multiply(Session& session, const float* rows, int ld, int count, int size,
                                  const float* packed, const float* bias, const Finish& finish) {
    auto* left = reinterpret_cast<std::uint16_t*>(session.memory + 32 * 32);
    const int depth = size / kTileDepth;
    const auto* right = reinterpret_cast<const std::uint16_t*>(packed);
    for (int i = 0; i < count; i += 32) {
      for (int half = 0; half < 2; ++half) {
        pack_rows(rows + static_cast<std::size_t>(i + 16 * half) * ld, ld, size,
                  left + static_cast<std::size_t>(half) * depth * 2 * kTile);
      }
      for (int j = 0; j < size; j += 32) {
        session.tiles.zero_sums();
        multiply_block(session.tiles, left,
                       right + static_cast<std::size_t>(j / 16) * depth * 2 * kTile, depth);
        session.tiles.store_sums(session.memory, 32);
        for (int m = 0; m < 32 && i + m < count; m += 4) {
          Floats sums[4][2];
#pragma GCC unroll 4
          for (int r = 0; r < 4; ++r) {
#pragma GCC unroll 2
            for (int n = 0; n < 2; ++n) {
              sums[r][n] = L::load(session.memory + (m + r) * 32 + 16 * n);
              if (bias) sums[r][n] += L::load(bias + j + 16 * n);
            }
          }
          finish(i + m, count - i - m < 4 ? count - i - m : 4, j, sums);
        }
      }
    }
  }

  static void add_outer(Session& session, const float* left, const float* right, int ld, int count,
                        int size, float* sum) {
    const int depth = round_up(count) / kTileDepth;
    auto* a = reinterpret_cast<std::uint16_t*>(session.memory + 32 * 32);
    auto* b = a + static_cast<std::size_t>(size / 16) * depth * 2 * kTile;
    for (int i = 0; i < size; i += 16) {
      for (int k = 0; k < depth; ++k) {
        const std::size_t tile = (static_cast<std::size_t>(i / 16) * depth + k) * 2 * kTile;
        const std::size_t from = static_cast<std::size_t>(k) * kTileDepth * ld + i;
        const int there = count - k * kTileDepth < kTileDepth ? count - k * kTileDepth : kTileDepth;
        pack_pairs(right + from, ld, there, b + tile, b + tile + kTile);
        pack_pairs(left + from, ld, there, a + tile, a + tile + kTile);
        transpose(a + tile);
        transpose(a + tile + kTile);
      }
    }
    for (int i = 0; i < size; i += 32) {
      for (int j = 0; j < size; j += 32) {
        float* block = sum + static_cast<std::size_t>(i) * size + j;
        session.tiles.load_sums(block, size);
        multiply_block(session.tiles, a + static_cast<std::size_t>(i / 16) * depth * 2 * kTile,
                       b + static_cast<std::size_t>(j / 16) * depth * 2 * kTile, depth);
        session.tiles.store_sums(block, size);
      }
    }
  }

 private:
  static int round_up(int n) { return (n + 31) / 32 * 32; }

  /// Two rows of tiles times two columns of tiles, `depth` hi and lo tiles each.
  static NPQ_INLINE void multiply_block(Tiles& tiles, const std::uint16_t* left,
                                        const std::uint16_t* right, int depth) {
    const std::size_t next = static_cast<std::size_t>(depth) * 2 * kTile;
    for (int k = 0; k < depth; ++k, left += 2 * kTile, right += 2 * kTile) {
      tiles.load_left(left, left + next);
      tiles.load_right(right, right + next);
      tiles.multiply();
      tiles.load_right(right + kTile, right + next + kTile);
      tiles.multiply();
      tiles.load_left(left + kTile, left + next + kTile);
      tiles.load_right(right, right + next);
      tiles.multiply();
    }
  }

  /// To the nearest bfloat16, ties to even: the upper half of each number, the lower half zero.
  static NPQ_INLINE Bits round(Floats x) {
    const Bits bits = (Bits)x;
    return (bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u;
  }

  /// 16 rows of `size` numbers as tiles: hi and lo of the first 32 columns, of the next, ...
  static NPQ_INLINE void pack_rows(const float* rows, int ld, int size, std::uint16_t* out) {
    for (int k = 0; k < size; k += 16) {
      std::uint16_t* tile =
          out + static_cast<std::size_t>(k / kTileDepth) * 2 * kTile + k % kTileDepth;
      for (int i = 0; i < 16; ++i) {
        const Floats x = L::load(rows + static_cast<std::size_t>(i) * ld + k);
        const Bits hi = round(x);
        const Bits lo = round(x - (Floats)hi);
        const Halves hi16 = __builtin_convertvector(hi >> 16, Halves);
        const Halves lo16 = __builtin_convertvector(lo >> 16, Halves);
        __builtin_memcpy(tile + i * 32, &hi16, sizeof hi16);
        __builtin_memcpy(tile + kTile + i * 32, &lo16, sizeof lo16);
      }
    }
  }

  /// `there` rows of 16 numbers (the rest of 32 are zero): two rows go side by side, number by
  /// number.
  static NPQ_INLINE void pack_pairs(const float* rows, int ld, int there, std::uint16_t* hi,
                                    std::uint16_t* lo) {
    for (int k = 0; k < kTileDepth; k += 2, hi += 32, lo += 32) {
      const Floats x = k < there ? L::load(rows + static_cast<std::size_t>(k) * ld) : Floats{};
      const Floats y =
          k + 1 < there ? L::load(rows + static_cast<std::size_t>(k + 1) * ld) : Floats{};
      const Bits x_hi = round(x), y_hi = round(y);
      const Bits highs = (x_hi >> 16) | y_hi;
      const Bits lows = (round(x - (Floats)x_hi) >> 16) | round(y - (Floats)y_hi);
      __builtin_memcpy(hi, &highs, sizeof highs);
      __builtin_memcpy(lo, &lows, sizeof lows);
    }
  }

  /// A tile as 16 x 16 pairs of numbers, rows and columns exchanged: four times, the first half of
  /// the rows is interleaved with the second.
  static NPQ_INLINE void transpose(std::uint16_t* tile) {
    Bits rows[16], next[16];
    __builtin_memcpy(rows, tile, sizeof rows);
    for (int round = 0; round < 4; ++round) {
#pragma GCC unroll 8
      for (int i = 0; i < 8; ++i) {
        next[2 * i] = __builtin_shufflevector(rows[i], rows[i + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4,
                                              20, 5, 21, 6, 22, 7, 23);
        next[2 * i + 1] = __builtin_shufflevector(rows[i], rows[i + 8], 8, 24, 9, 25, 10, 26, 11,
                                                  27, 12, 28, 13, 29, 14, 30, 15, 31);
      }
      __builtin_memcpy(rows, next, sizeof rows);
    }
    __builtin_memcpy(tile, rows, sizeof rows);
  }
};

}  // namespace
}  // namespace npq::kernels
