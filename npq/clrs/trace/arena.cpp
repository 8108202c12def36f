#include "npq/clrs/trace/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace npq::clrs {
namespace {

constexpr std::size_t kSmallest = std::size_t{64} << 10;  // a small dataset stays small
constexpr std::size_t kLargest = std::size_t{8} << 20;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::shared_ptr<std::byte[]> new_chunk(std::size_t bytes) {
  const std::size_t alignment = bytes >= kHugePage ? kHugePage : 64;
  void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!memory) throw std::bad_alloc();
  if (bytes >= kHugePage) madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: refused is fine
  return {static_cast<std::byte*>(memory), [](std::byte* p) { std::free(p); }};
}

}  // namespace

std::shared_ptr<std::byte[]> Arena::take(std::size_t bytes) {
  bytes = (bytes + 7) / 8 * 8;
  if (bytes > size_ - used_) {
    size_ = std::max(bytes, std::clamp(2 * size_, kSmallest, kLargest));
    chunk_ = new_chunk(size_);
    used_ = 0;
  }
  std::shared_ptr<std::byte[]> taken(chunk_, chunk_.get() + used_);
  used_ += bytes;
  return taken;
}

}  // namespace npq::clrs
