#pragma once
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace npq::experiment {

/// How a process ended.
struct Exit {
  int code = 0;  // exit code, 128 + signal for one that was killed
  std::int64_t peak_bytes = 0;
};

struct ChildOptions {
  std::vector<std::string> words;  // the program and its arguments
  std::filesystem::path out;  // where its standard output goes, from the beginning; empty: nowhere
  std::filesystem::path log;  // where its standard error goes, at the end
  int inherited = -1;         // a descriptor that it keeps open: a claim
};

/// A process of ours. It is in a group of its own, so that Ctrl-C reaches it through us alone,
/// once; and it is told to stop (SIGTERM) if we are killed.
class Child {
 public:
  static Child start(const ChildOptions& options);

  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();  // kills it if it still runs

  /// Nothing while it runs.
  std::optional<Exit> poll();
  void send(int signal) const;
  pid_t id() const { return id_; }

 private:
  explicit Child(pid_t id) : id_(id) {}
  pid_t id_ = -1;  // -1: has ended
};

}  // namespace npq::experiment
