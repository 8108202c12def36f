#include "app/handoff.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "app/output.h"

namespace npq::app {

namespace {

/// libgomp's idle threads spin for a long time. On shared cores this costs up to ten times what it
/// gains on free ones. libgomp reads its environment when it is loaded: in the engine.
void wait_briefly() {
  if (getenv("OMP_WAIT_POLICY") == nullptr) setenv("GOMP_SPINCOUNT", "1000", /*replace=*/0);
}

}  // namespace

int hand_to_engine(char** argv) {
  wait_briefly();
  const auto engine = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "npq-engine";
  execv(engine.c_str(), argv);
  complain(fmt::format(
      "cannot start '{}': {}; it is built and installed beside npq where libtorch is present",
      engine.string(), std::strerror(errno)));
  return 1;
}

}  // namespace npq::app
