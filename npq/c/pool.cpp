// Where this library's kernels run: threads of its own instead of OpenMP's. Two OpenMP runtimes in
// one process (torch brings its own) slow each other down, and GNU's hangs in a forked child.
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "npq/kernels/jobs.h"

namespace npq::kernels {
namespace {

/// Threads that sleep until there is work. One call at a time: a second one works alone.
class Pool {
 public:
  std::mutex busy;

  void run(int threads, int count, const std::function<void(int)>& body) {
    {
      const std::lock_guard lock(mutex_);
      while (static_cast<int>(workers_.size()) < threads - 1)
        workers_.emplace_back([this] { work(); }).detach();
      body_ = &body;
      count_ = count;
      next_ = 0;
      failure_ = nullptr;
      seats_ = threads - 1;
    }
    wake_.notify_all();
    take_jobs(body, count);
    std::unique_lock lock(mutex_);
    seats_ = 0;  // threads that have not started by now are not needed
    done_.wait(lock, [this] { return working_ == 0; });
    body_ = nullptr;
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return seats_ > 0; });
      --seats_;
      ++working_;
      const auto& body = *body_;
      const int count = count_;
      lock.unlock();
      take_jobs(body, count);
      lock.lock();
      if (--working_ == 0) done_.notify_one();
    }
  }

  void take_jobs(const std::function<void(int)>& body, int count) {
    try {
      for (int i = next_++; i < count; i = next_++) body(i);
    } catch (...) {
      next_ = count;
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::vector<std::thread> workers_;
  const std::function<void(int)>* body_ = nullptr;
  int count_ = 0, seats_ = 0, working_ = 0;
  std::atomic<int> next_{0};
  std::exception_ptr failure_;
};

/// Never destroyed: its threads sleep until the process ends. After fork() the child, which has
/// none of them, starts a new one.
std::atomic<Pool*> pool{nullptr};

Pool& the_pool() {
  static const bool once = [] {
    pool = new Pool;
    pthread_atfork(nullptr, nullptr, [] { pool = new Pool; });
    return true;
  }();
  (void)once;
  return *pool;
}

}  // namespace

void run_jobs(int threads, int count, const std::function<void(int)>& body) {
  const int used = std::max(1, std::min(threads, count));
  Pool& all = the_pool();
  std::unique_lock lock(all.busy, std::defer_lock);
  if (used == 1 || !lock.try_lock()) {
    for (int i = 0; i < count; ++i) body(i);
    return;
  }
  all.run(used, count, body);
}

}  // namespace npq::kernels
