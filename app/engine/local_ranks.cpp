#include "app/engine/local_ranks.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <thread>
#include <vector>

#include "app/output.h"
#include "npq/base/error.h"

namespace npq::app {
namespace {

using Clock = std::chrono::steady_clock;

// As long as ranks take to hear of the end of another, and rank 0 to be the last (group.cpp).
constexpr auto kUntilAllEnd = std::chrono::seconds(20);

std::atomic<int> interrupts{0};
void on_interrupt(int) { ++interrupts; }

class LocalRanks {
 public:
  explicit LocalRanks(std::vector<pid_t> processes)
      : processes_(std::move(processes)), statuses_(processes_.size()) {}

  int wait(const std::atomic<bool>& told) {
    int passed_on = 0;
    while (reap()) {
      // The first saves the run, the second stops at once; after that not even a hanging one stays.
      for (; passed_on < interrupts; ++passed_on) send(passed_on < 2 ? SIGTERM : SIGKILL);
      if (failed_at_ && Clock::now() - *failed_at_ > kUntilAllEnd) send(SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    for (std::size_t rank = 0; rank < statuses_.size(); ++rank)
      if (!told && was_killed(rank))
        complain(fmt::format("rank {} (process {}) was killed by signal {}", rank, processes_[rank],
                             WTERMSIG(*statuses_[rank])));
    for (const auto& status : statuses_)
      if (*status != 0) return WIFEXITED(*status) ? WEXITSTATUS(*status) : 1;
    return 0;
  }

 private:
  bool was_killed(std::size_t rank) const {
    return WIFSIGNALED(*statuses_[rank]) && interrupts == 0 && first_failed_ == rank;
  }

  /// Whether one is left.
  bool reap() {
    bool left = false;
    for (std::size_t rank = 0; rank < processes_.size(); ++rank) {
      int status = 0;
      if (statuses_[rank]) continue;
      if (waitpid(processes_[rank], &status, WNOHANG) != processes_[rank]) {
        left = true;
        continue;
      }
      statuses_[rank] = status;
      if (status == 0 || interrupts > 0) continue;
      if (!failed_at_) {
        failed_at_ = Clock::now();
        first_failed_ = rank;
      }
    }
    return left;
  }

  void send(int signal) const {
    for (std::size_t rank = 0; rank < processes_.size(); ++rank)
      if (!statuses_[rank]) kill(processes_[rank], signal);
  }

  std::vector<pid_t> processes_;
  std::vector<std::optional<int>> statuses_;  // of those that have ended
  std::optional<Clock::time_point> failed_at_;
  std::size_t first_failed_ = 0;
};

void kill_all(const std::vector<pid_t>& processes) {
  for (const auto process : processes) kill(process, SIGKILL);
  for (const auto process : processes) waitpid(process, nullptr, 0);
}

}  // namespace

int as_local_ranks(int count, const LocalWork& work) {
  void* const memory = mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw Error("cannot share memory: {}", std::strerror(errno));
  auto& told = *new (memory) std::atomic<bool>(false);
  std::fflush(nullptr);  // or every copy would print what is in the buffers
  const pid_t parent = getpid();
  std::vector<pid_t> processes;
  for (int rank = 0; rank < count; ++rank) {
    const pid_t process = fork();
    if (process == 0) {
      setpgid(0, 0);  // so that Ctrl-C comes through the parent, once
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      if (getppid() != parent) return 1;
      return work(rank, told);
    }
    if (process < 0) {
      const int code = errno;
      kill_all(processes);
      throw Error("cannot start rank {} of {}: {}", rank, count, std::strerror(code));
    }
    processes.push_back(process);
  }
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return LocalRanks(std::move(processes)).wait(told);
}

}  // namespace npq::app
