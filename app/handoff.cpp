#include "app/handoff.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "npq/base/error.h"

namespace npq::app {

namespace {

/// libgomp's idle threads turn in circles for a long time, which on cores shared with others costs
/// up to ten times what is gained on free ones. It reads its wishes when it is loaded: in the
/// engine.
void wait_briefly() {
  if (getenv("OMP_WAIT_POLICY") == nullptr) setenv("GOMP_SPINCOUNT", "1000", /*replace=*/0);
}

}  // namespace

void hand_to_engine(char** argv) {
  wait_briefly();
  const auto engine = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "npq-engine";
  execv(engine.c_str(), argv);
  throw Error(
      "cannot start '{}': {}; it is built and installed beside npq where libtorch is present",
      engine.string(), std::strerror(errno));
}

}  // namespace npq::app
