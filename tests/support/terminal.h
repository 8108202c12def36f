#pragma once
#include <pty.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/support/program.h"

namespace npq::test {

/// What npq prints on a terminal with so many columns, escape sequences and all.
inline std::string printed_on_terminal(std::vector<std::string> args, unsigned short columns,
                                       const std::map<std::string, std::string>& variables = {}) {
  args.insert(args.begin(), npq_program());
  std::vector<char*> argv;
  for (auto& arg : args) argv.push_back(arg.data());
  argv.push_back(nullptr);
  const winsize size{.ws_row = 50, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  int screen = -1;
  const pid_t child = forkpty(&screen, nullptr, nullptr, &size);
  if (child == 0) {
    setenv("TERM", "xterm", /*overwrite=*/1);
    unsetenv("NO_COLOR");
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
    execv(argv[0], argv.data());
    _exit(127);
  }
  std::string printed;
  char buffer[4096];
  // Once the program has ended read() fails: that is the end of a terminal's output.
  for (ssize_t got; (got = read(screen, buffer, sizeof buffer)) > 0;)
    printed.append(buffer, static_cast<std::size_t>(got));
  close(screen);
  waitpid(child, nullptr, 0);
  return printed;
}

/// The text without escape sequences, cut where the cursor goes back to the first column.
inline std::vector<std::string> lines_on_screen(const std::string& printed) {
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < printed.size(); ++i) {
    if (printed[i] == '\x1b') {
      while (i + 1 < printed.size() && !std::isalpha(static_cast<unsigned char>(printed[i]))) ++i;
    } else if (printed[i] == '\r' || printed[i] == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += printed[i];
    }
  }
  return lines;
}

}  // namespace npq::test
