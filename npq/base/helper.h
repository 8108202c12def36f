#pragma once
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <thread>

namespace npq {

/// A thread that stays: its buffers, threads of OpenMP and freed memory are reused in the next
/// call.
class Helper {
 public:
  Helper() : thread_([this] { run(); }) {}
  ~Helper();
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  /// An exception of `work` comes out of the future. One piece of work at a time: give the next
  /// when the future of the last is ready.
  std::future<void> start(std::function<void()> work);

 private:
  void give(std::packaged_task<void()> task);
  void run();

  std::mutex mutex_;
  std::condition_variable given_;
  std::optional<std::packaged_task<void()>> task_;
  std::thread thread_;  // the last, since it looks at the others
};

}  // namespace npq
