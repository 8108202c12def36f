#include "npq/ops/threads.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <future>
#include <memory>
#include <utility>
#include <vector>

#include "npq/base/helper.h"

namespace npq::ops {
namespace {

std::atomic<int> set_threads{0};
thread_local int share = 0;  // of the threads, inside side_by_side

/// Also for libtorch's own operations, which ask OpenMP how many threads they may use: each call
/// with all of them would be more than there are cores.
class ScopedShare {
 public:
  ScopedShare(int threads, int torch_threads)
      : share_before_(std::exchange(share, threads)), openmp_before_(at::get_num_threads()) {
    omp_set_num_threads(std::min(threads, torch_threads));
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

void flush_tiny_numbers() { at::globalContext().setFlushDenormal(true); }

void side_by_side(std::size_t count, const std::function<void(std::size_t)>& body) {
  thread_local std::vector<std::unique_ptr<Helper>> helpers;
  const int threads = kernel_threads();
  const int torch_threads = at::get_num_threads();  // of this thread: each has its own number
  const auto calls = std::min(static_cast<std::size_t>(threads), count);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    const ScopedShare own(std::max(1, threads / static_cast<int>(calls)), torch_threads);
    for (std::size_t i; (i = next.fetch_add(1)) < count;) body(i);
  };
  while (helpers.size() + 1 < calls) helpers.push_back(std::make_unique<Helper>());
  std::vector<std::future<void>> others;
  for (std::size_t who = 1; who < calls; ++who) others.push_back(helpers[who - 1]->start(work));
  std::exception_ptr failure;
  const auto keep_failure = [&](const auto& call) {
    try {
      call();
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  };
  if (count > 0) keep_failure(work);
  for (auto& other : others) keep_failure([&] { other.get(); });
  if (failure) std::rethrow_exception(failure);
}

}  // namespace npq::ops
