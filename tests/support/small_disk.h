#pragma once
#include <signal.h>
#include <sys/resource.h>

namespace npq::test {

/// Files of this process may not grow beyond `bytes` while the object lives: a disk that fills up.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    previous_handler_ = signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &previous_);
    const rlimit small{bytes, previous_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &previous_);
    signal(SIGXFSZ, previous_handler_);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  rlimit previous_;
  void (*previous_handler_)(int);
};

}  // namespace npq::test
