#include "npq/kernels/padding.h"

#include <algorithm>

namespace npq::kernels {

void pad_rows(const float* from, std::size_t rows, int width, int padded, float* to) {
  for (std::size_t i = 0; i < rows; ++i, from += width, to += padded) {
    std::copy_n(from, width, to);
    std::fill(to + width, to + padded, 0.0f);
  }
}

void unpad_rows(const float* from, std::size_t rows, int width, int padded, float* to) {
  for (std::size_t i = 0; i < rows; ++i, from += padded, to += width) std::copy_n(from, width, to);
}

void pad_transposed(const float* from, int width, int padded, float* to) {
  constexpr int kBlock = 16;  // a line of the cache, read and written as a whole
  std::fill_n(to, static_cast<std::size_t>(padded) * padded, 0.0f);
  for (int first = 0; first < width; first += kBlock) {
    for (int j = 0; j < width; ++j) {
      float* row = to + static_cast<std::size_t>(j) * padded;
      for (int i = first; i < std::min(first + kBlock, width); ++i)
        row[i] = from[static_cast<std::size_t>(i) * width + j];
    }
  }
}

const float* padded_rows(Arena& arena, const float* from, std::size_t rows, int width, int padded) {
  if (width == padded) return from;
  float* copy = arena.take(rows * padded);
  if (copy && from) pad_rows(from, rows, width, padded, copy);
  return copy;
}

}  // namespace npq::kernels
