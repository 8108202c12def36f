#include "npq/ops/threads.h"

#include <ATen/Parallel.h>

#include <atomic>

namespace npq::ops {
namespace {

std::atomic<int> set_threads{0};

}  // namespace

int kernel_threads() {
  if (at::in_parallel_region()) return 1;
  const int threads = set_threads.load(std::memory_order_relaxed);
  return threads > 0 ? threads : at::get_num_threads();
}

void set_kernel_threads(int threads) {
  const int given_back = set_threads.exchange(threads);
  at::set_num_threads(threads > 0 ? 1 : given_back > 0 ? given_back : at::get_num_threads());
}

}  // namespace npq::ops
