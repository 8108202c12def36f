#pragma once
#include <filesystem>
#include <string>

namespace npq::test {

/// The program under test lies beside the tests: no path is compiled in, so builds can share
/// compiled tests.
inline std::string npq_program() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "npq").string();
}

}  // namespace npq::test
