#include "npq/prove/proof.h"

#include <mutex>

#include "npq/base/parallel.h"
#include "npq/ops/threads.h"

namespace npq::prove {
namespace {

/// One thread per operation while it lives.
class ScopedSingleThread {
 public:
  ScopedSingleThread() : before_(ops::kernel_threads()) { ops::set_kernel_threads(1); }
  ~ScopedSingleThread() { ops::set_kernel_threads(before_); }
  ScopedSingleThread(const ScopedSingleThread&) = delete;
  ScopedSingleThread& operator=(const ScopedSingleThread&) = delete;

 private:
  int before_;
};

}  // namespace

void side_by_side(int threads, std::size_t count, const std::function<void(std::size_t)>& body,
                  const std::function<std::string(std::size_t)>& note,
                  const ProofProgress& progress) {
  const ScopedSingleThread alone;
  std::mutex mutex;
  std::int64_t done = 0;
  parallel_for(threads, count, [&](std::size_t i) {
    body(i);
    const std::lock_guard lock(mutex);
    ++done;
    if (progress) progress(done, static_cast<std::int64_t>(count), note(i));
  });
}

}  // namespace npq::prove
