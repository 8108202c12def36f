#include "npq/base/helper.h"

#include <utility>

namespace npq {

Helper::~Helper() {
  give({});  // no work at all means the end
  thread_.join();
}

std::future<void> Helper::start(std::function<void()> work) {
  std::packaged_task<void()> task(std::move(work));
  auto done = task.get_future();
  give(std::move(task));
  return done;
}

void Helper::give(std::packaged_task<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    task_ = std::move(task);
  }
  given_.notify_one();
}

void Helper::run() {
  while (true) {
    std::unique_lock lock(mutex_);
    given_.wait(lock, [this] { return task_.has_value(); });
    auto task = std::move(*task_);
    task_.reset();
    lock.unlock();
    if (!task.valid()) return;
    task();
  }
}

}  // namespace npq
