#pragma once
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace npq::house {

struct Answer {
  int exit_code;
  std::string output;  // stdout and stderr as they came
};

/// Runs a command line with bash.
inline Answer shell(const std::string& command) {
  Answer answer{-1, ""};
  std::FILE* pipe = popen(("( " + command + "\n) 2>&1").c_str(), "r");
  if (pipe == nullptr) return answer;
  std::array<char, 4096> buffer;
  while (const auto count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    answer.output.append(buffer.data(), count);
  const int status = pclose(pipe);
  answer.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return answer;
}

}  // namespace npq::house
