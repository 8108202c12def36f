#include "app/about.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "npq/base/simd.h"

namespace npq::app {
namespace {

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const auto colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

}  // namespace

nlohmann::json about(int threads) {
  return {{"version", NPQ_VERSION},
          {"commit", NPQ_COMMIT},
#ifdef __clang__
          {"compiler", "clang " __clang_version__},
#else
          {"compiler", "g++ " __VERSION__},
#endif
          {"cpu", cpu_name()},
          {"simd", simd_level_name(active_simd_level())},
          {"threads", threads}};
}

}  // namespace npq::app
