#include "app/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "npq/base/error.h"

namespace npq::app {

void open_missing_streams() {
  // open() takes the lowest number that is free, so those below are there.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDWR) != stream)
      throw Error("cannot open '/dev/null': {}", std::strerror(errno));
}

bool is_closed_pipe(const std::exception& error) {
  const auto* found = dynamic_cast<const std::system_error*>(&error);
  return found != nullptr && found->code() == std::errc::broken_pipe;
}

std::string sentence_of(const std::exception& error) {
  const std::string_view what = error.what();
  constexpr std::string_view kOfFmt = "cannot write to file";
  return what.starts_with(kOfFmt)
             ? fmt::format("cannot write the output{}", what.substr(kOfFmt.size()))
             : std::string(what);
}

void flush_output() {
  if (std::fflush(stdout) == 0) return;
  if (errno == EPIPE) throw std::system_error(errno, std::generic_category());
  throw Error("cannot write the output: {}", std::strerror(errno));
}

void complain(std::string_view sentence) noexcept {
  // Names in it may come from anybody's files: none of them steers the terminal or ends the text.
  std::string line = "npq: ";
  for (const char c : sentence) {
    const auto byte = static_cast<unsigned char>(c);
    const bool control = (byte < 0x20 && c != '\n') || byte == 0x7f;
    line += control ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void GuardedOutput::print(const std::function<void()>& action) noexcept {
  if (failed()) return;
  try {
    action();
  } catch (...) {
    failure_ = std::current_exception();
  }
}

void GuardedOutput::check() const {
  if (failure_) std::rethrow_exception(failure_);
}

int stopped(const GuardedOutput& output, std::string_view how_to_go_on) {
  if (output.failed()) complain(how_to_go_on);
  output.check();
  fmt::print("{}\n", how_to_go_on);
  return 1;
}

}  // namespace npq::app
