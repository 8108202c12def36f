#pragma once
#include <cstddef>
#include <memory>

namespace npq::clrs {

/// Memory for finished samples, taken from large chunks. Page faults would cost half of the time of
/// a whole benchmark held in memory; chunks of two megabytes and more ask the kernel for huge pages
/// instead. A chunk lives as long as anything in it.
class Arena {
 public:
  /// `bytes` bytes, aligned to 8, with no particular content.
  std::shared_ptr<std::byte[]> take(std::size_t bytes);

 private:
  std::shared_ptr<std::byte[]> chunk_;
  std::size_t size_ = 0, used_ = 0;
};

}  // namespace npq::clrs
