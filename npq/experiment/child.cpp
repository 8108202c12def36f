#include "npq/experiment/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "npq/base/files/file_error.h"
#include "npq/base/files/file_to_write.h"
#include "npq/base/files/retry.h"

namespace npq::experiment {
namespace {

int open_nothing() {
  const int descriptor = retry([] { return open("/dev/null", O_RDWR | O_CLOEXEC); });
  if (descriptor < 0) throw file_error("open", "/dev/null", errno);
  return descriptor;
}

/// In the new process: only calls that are safe between fork and exec.
[[noreturn]] void become(char** words, int in, int out, int log, int inherited, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);  // it died before we asked to be told
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  if (inherited >= 0) fcntl(inherited, F_SETFD, 0);
  execv(words[0], words);
  _exit(127);
}

}  // namespace

Child Child::start(const ChildOptions& options) {
  auto words = options.words;
  std::vector<char*> pointers(words.size() + 1, nullptr);
  std::transform(words.begin(), words.end(), pointers.begin(),
                 [](std::string& word) { return word.data(); });
  const int in = open_nothing();
  const int out =
      options.out.empty() ? open_nothing() : open_to_write(options.out, O_WRONLY | O_TRUNC);
  const int log = open_to_write(options.log, O_WRONLY | O_APPEND);
  const pid_t parent = getpid();
  const pid_t id = fork();
  if (id == 0) become(pointers.data(), in, out, log, options.inherited, parent);
  const int code = errno;
  for (const int descriptor : {in, out, log}) close(descriptor);
  if (id < 0) throw file_error("start", options.words.front(), code);
  return Child(id);
}

Child::Child(Child&& other) noexcept : id_(std::exchange(other.id_, -1)) {}

Child& Child::operator=(Child&& other) noexcept {
  std::swap(id_, other.id_);
  return *this;
}

Child::~Child() {
  if (id_ < 0) return;
  send(SIGKILL);
  retry([&] { return waitpid(id_, nullptr, 0); });
}

std::optional<Exit> Child::poll() {
  if (id_ < 0) return std::nullopt;
  int status = 0;
  rusage usage = {};
  if (retry([&] { return wait4(id_, &status, WNOHANG, &usage); }) != id_) return std::nullopt;
  id_ = -1;
  return Exit{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
              std::int64_t{usage.ru_maxrss} * 1024};
}

void Child::send(int signal) const {
  if (id_ > 0) kill(id_, signal);
}

}  // namespace npq::experiment
