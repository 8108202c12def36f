#include "npq/ops/kept.h"

#include <ATen/ops/from_blob.h>

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace npq::ops {
namespace {

/// Buffers that were given back wait for the next pass: fresh memory from the system costs as much
/// as a good part of what it saves.
class Buffers {
 public:
  float* take(std::int64_t floats) {
    const std::lock_guard lock(mutex_);
    auto& same = free_[floats];
    if (same.empty()) {
      const std::int64_t bytes = size_of(floats);
      if (held_ + bytes > kMostKeptBytes) drop_free();
      if (held_ + bytes > kMostKeptBytes) return nullptr;
      same.push_back(std::make_unique_for_overwrite<float[]>(floats));
      held_ += bytes;
    }
    float* buffer = same.back().release();
    same.pop_back();
    used_ += size_of(floats);
    return buffer;
  }

  void give_back(float* buffer, std::int64_t floats) {
    const std::lock_guard lock(mutex_);
    free_[floats].emplace_back(buffer);
    used_ -= size_of(floats);
  }

  std::int64_t used() {
    const std::lock_guard lock(mutex_);
    return used_;
  }

 private:
  static std::int64_t size_of(std::int64_t floats) {
    return floats * static_cast<std::int64_t>(sizeof(float));
  }

  void drop_free() {
    for (auto& [floats, buffers] : free_) {
      held_ -= size_of(floats) * static_cast<std::int64_t>(buffers.size());
      buffers.clear();
    }
  }

  std::mutex mutex_;
  std::map<std::int64_t, std::vector<std::unique_ptr<float[]>>> free_;  // by size
  std::int64_t held_ = 0, used_ = 0;                                    // bytes; free ones are held
};

/// Lives as long as the process: tensors may die after every static object.
Buffers& buffers() {
  static auto* all = new Buffers;
  return *all;
}

}  // namespace

at::Tensor keep(std::int64_t floats) {
  if (floats == 0 || floats * static_cast<std::int64_t>(sizeof(float)) > kMostKeptBytes / 16)
    return {};
  float* buffer = buffers().take(floats);
  if (!buffer) return {};
  return at::from_blob(
      buffer, {floats},
      [floats](void* memory) { buffers().give_back(static_cast<float*>(memory), floats); },
      at::kFloat);
}

std::int64_t kept_bytes() { return buffers().used(); }

}  // namespace npq::ops
