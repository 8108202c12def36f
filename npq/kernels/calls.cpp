#include "npq/kernels/calls.h"

#include <atomic>

namespace npq::kernels {
namespace {

std::atomic<std::int64_t> counts[kKernels];

}  // namespace

void count_call(Kernel kernel) {
  counts[static_cast<int>(kernel)].fetch_add(1, std::memory_order_relaxed);
}

std::int64_t calls(Kernel kernel) {
  return counts[static_cast<int>(kernel)].load(std::memory_order_relaxed);
}

}  // namespace npq::kernels
