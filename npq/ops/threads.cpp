#include "npq/ops/threads.h"

#include <ATen/Parallel.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "npq/base/parallel.h"

namespace npq::ops {
namespace {

std::atomic<int> set_threads{0};
thread_local int share = 0;  // of the threads, inside side_by_side

/// Also for libtorch's own operations, which ask OpenMP how many threads they may use: each call
/// with all of them would be more than there are cores.
class ScopedShare {
 public:
  explicit ScopedShare(int threads)
      : share_before_(std::exchange(share, threads)), openmp_before_(at::get_num_threads()) {
    omp_set_num_threads(std::min(threads, openmp_before_));
  }
  ~ScopedShare() {
    share = share_before_;
    omp_set_num_threads(openmp_before_);
  }
  ScopedShare(const ScopedShare&) = delete;
  ScopedShare& operator=(const ScopedShare&) = delete;

 private:
  int share_before_, openmp_before_;
};

}  // namespace

int kernel_threads() {
  if (at::in_parallel_region()) return 1;
  if (share > 0) return share;
  const int threads = set_threads.load(std::memory_order_relaxed);
  return threads > 0 ? threads : at::get_num_threads();
}

void set_kernel_threads(int threads) {
  const int given_back = set_threads.exchange(threads);
  at::set_num_threads(threads > 0 ? 1 : given_back > 0 ? given_back : at::get_num_threads());
}

void side_by_side(std::size_t count, const std::function<void(std::size_t)>& body) {
  const int threads = kernel_threads();
  const int calls = std::min(threads, static_cast<int>(count));
  parallel_for(calls, count, [&](std::size_t i) {
    const ScopedShare own(std::max(1, threads / calls));
    body(i);
  });
}

}  // namespace npq::ops
