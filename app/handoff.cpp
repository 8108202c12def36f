#include "app/handoff.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "npq/base/error.h"

namespace npq::app {

void hand_to_engine(char** argv) {
  const auto engine = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "npq-engine";
  execv(engine.c_str(), argv);
  throw Error(
      "cannot start '{}': {}; it is built and installed beside npq where libtorch is present",
      engine.string(), std::strerror(errno));
}

}  // namespace npq::app
