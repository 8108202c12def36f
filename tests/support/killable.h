#pragma once
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/program.h"
#include "tests/support/run_command.h"

namespace npq::test {

/// A process that goes on beside the test until it ends or is sent a signal; what it prints is kept
/// in a file.
class Process {
 public:
  Process(const std::string& program, std::vector<std::string> args) {
    args.insert(args.begin(), program);
    std::vector<char*> argv;
    for (auto& arg : args) argv.push_back(arg.data());
    argv.push_back(nullptr);
    const auto out = (folder_ / "out").string();
    child_ = fork();
    if (child_ != 0) return;
    const int to = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(to, STDOUT_FILENO);
    dup2(to, STDERR_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  ~Process() {
    if (running()) send(SIGKILL);
    wait();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  bool running() {
    if (!ended_ && waitpid(child_, &status_, WNOHANG) == child_) ended_ = true;
    return !ended_;
  }
  void send(int signal) {
    if (running()) kill(child_, signal);
  }
  /// The exit code, 128 + signal for a process that was killed.
  int wait() {
    if (!ended_) waitpid(child_, &status_, 0);
    ended_ = true;
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  }
  /// Returns once `reached` holds, or the process has ended: then false.
  bool wait_for(const std::function<bool()>& reached) {
    while (running()) {
      if (reached()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }
  pid_t id() const { return child_; }
  std::string printed() const { return test::file_content(folder_ / "out"); }

 private:
  test::TemporaryFolder folder_;
  pid_t child_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

inline std::string engine_program() { return npq_program() + "-engine"; }

/// How many lines a file has so far; none if there is no such file.
inline std::ptrdiff_t lines_in(const std::filesystem::path& path) {
  const auto content = test::file_content(path);
  return std::count(content.begin(), content.end(), '\n');
}

}  // namespace npq::test
