#pragma once
#include <cstdlib>
#include <filesystem>

namespace npq::test {

/// A file of $NPQ_GOLDEN_DIR, or of the project's own tests/golden:
/// golden_file("model/oracle.safetensors").
inline std::filesystem::path golden_file(const std::filesystem::path& name) {
  const char* given = std::getenv("NPQ_GOLDEN_DIR");
  return std::filesystem::path(given != nullptr && *given != 0 ? given : NPQ_TESTS_DIR "/golden") /
         name;
}

}  // namespace npq::test
