#include "npq/kernels/jobs.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace npq::kernels {

Range part(int whole, int parts, int index) {
  const auto cut = [&](int i) {
    return static_cast<int>(static_cast<std::int64_t>(whole) * i / parts);
  };
  return {cut(index), cut(index + 1)};
}

float* scratch(std::size_t floats, int purpose) {
  struct Free {
    void operator()(float* p) const { std::free(p); }
  };
  struct Kept {
    std::unique_ptr<float, Free> memory;
    std::size_t floats = 0;
  };
  thread_local Kept kept[kScratchPurposes];
  Kept& mine = kept[purpose];
  if (mine.floats < floats) {
    const std::size_t bytes = (floats * sizeof(float) + 63) / 64 * 64;
    mine.memory.reset();
    mine.floats = 0;
    mine.memory.reset(static_cast<float*>(std::aligned_alloc(64, bytes)));
    if (!mine.memory) throw std::bad_alloc();
    std::fill_n(mine.memory.get(), floats, 0.0f);
    mine.floats = floats;
  }
  return mine.memory.get();
}

}  // namespace npq::kernels
