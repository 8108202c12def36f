#pragma once
#include <cstddef>

#include "npq/kernels/jobs.h"

// Rows whose length suits the vectors of a level: [rows, width] <-> [rows, padded], zeros behind.
namespace npq::kernels {

inline int round_up(int n, int multiple) { return (n + multiple - 1) / multiple * multiple; }

void pad_rows(const float* from, std::size_t rows, int width, int padded, float* to);
void unpad_rows(const float* from, std::size_t rows, int width, int padded, float* to);
/// [width, width] -> [padded, padded], rows and columns exchanged.
void pad_transposed(const float* from, int width, int padded, float* to);

/// Hands out parts of one piece of memory, each aligned to 64 bytes. Without memory it only counts,
/// so that the same code first measures, then hands out.
class Arena {
 public:
  explicit Arena(float* memory = nullptr) : memory_(memory) {}
  float* take(std::size_t floats) {
    float* part = memory_ ? memory_ + used_ : nullptr;
    used_ += (floats + 15) / 16 * 16;
    return part;
  }
  std::size_t used() const { return used_; }

 private:
  float* memory_;
  std::size_t used_ = 0;
};

/// What lay_out(arena) takes, in memory that the calling thread keeps for this purpose (jobs.h):
/// first measured, then handed out.
template <class LayOut>
auto laid_out(int purpose, const LayOut& lay_out) {
  Arena measure;
  lay_out(measure);
  Arena arena(scratch(measure.used(), purpose));
  return lay_out(arena);
}

/// `from` itself where nothing is to be added, else a padded copy in the arena.
const float* padded_rows(Arena& arena, const float* from, std::size_t rows, int width, int padded);

}  // namespace npq::kernels
