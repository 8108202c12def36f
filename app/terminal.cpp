#include "app/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "app/output.h"

#include "npq/base/resources.h"

namespace npq::app {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr auto kPlainLine = std::chrono::seconds(5);

bool colours() {
  static const bool on = [] {
    const char* no_colour = std::getenv("NO_COLOR");
    return draws(STDOUT_FILENO) && (no_colour == nullptr || *no_colour == 0);
  }();
  return on;
}

/// The byte after the character or colour sequence at `at`, and the columns that it takes.
struct Letter {
  std::size_t end, width;
};
Letter letter_at(std::string_view text, std::size_t at) {
  if (text[at] == '\x1b') return {std::min(text.find('m', at), text.size() - 1) + 1, 0};
  auto end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return {end, 1};
}

/// All parts of a line, or fewer if they do not fit, with a bar if there is room.
std::string fitted(const std::vector<std::string>& lines, double share, std::size_t width) {
  constexpr std::size_t kWidest = 24, kNarrowest = 8, kFrame = 3;  // "[", "]", a space
  for (const auto& line : lines) {
    if (width_of(line) > width) continue;
    const auto room = width - width_of(line);
    if (room < kNarrowest + kFrame) return line;
    const auto bar = std::min(kWidest, room - kFrame);
    const auto filled = static_cast<std::size_t>(static_cast<double>(bar) * share);
    return fmt::format("[{}{}] {}", std::string(filled, '#'), std::string(bar - filled, '.'), line);
  }
  return shortened(lines.back(), width);
}

}  // namespace

std::string paint(std::string_view text, Colour colour) {
  static constexpr int codes[] = {0, 1, 2, 31, 32, 33, 34, 36};
  if (!colours() || colour == Colour::Plain) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<int>(colour)], text);
}

bool draws(int descriptor) {
  const char* terminal = std::getenv("TERM");
  return isatty(descriptor) && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

std::size_t screen_width(int descriptor) {
  constexpr std::size_t kUsual = 80, kLeast = 20;
  if (!isatty(descriptor)) return 0;
  winsize size = {};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
  return std::max<std::size_t>(kLeast, size.ws_col);
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto letter = letter_at(text, i);
    width += letter.width;
    i = letter.end;
  }
  return width;
}

std::string shortened(std::string_view text, std::size_t width) {
  std::size_t end = 0;
  for (std::size_t used = 0; end < text.size();) {
    const auto letter = letter_at(text, end);
    if (used += letter.width; used > width) break;
    end = letter.end;
  }
  return std::string(text.substr(0, end));
}

ProgressBar::ProgressBar(std::string what, std::int64_t total, bool quiet)
    : what_(std::move(what)),
      total_(total),
      quiet_(quiet),
      terminal_(draws(STDERR_FILENO)),
      begin_(std::chrono::steady_clock::now()),
      last_(begin_) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() {
  if (drawn_ && terminal_) std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

void ProgressBar::print(std::string_view line) {
  clear();
  fmt::print("{}\n", line);
  flush_output();
}

std::string ProgressBar::line(std::int64_t done, std::string_view note) const {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
  const double speed = static_cast<double>(done) / std::max(elapsed.count(), 1e-9);
  const auto so_far = fmt::format("{} {}/{}", what_, done, total_);
  const auto rate = fmt::format("  {:.3g}/s", speed);
  const auto left = fmt::format(
      "  {} left",
      done > 0 ? human_seconds(static_cast<double>(total_ - done) / std::max(speed, 1e-9)) : "?");
  const auto last = note.empty() ? "" : fmt::format("  {}", note);
  if (!terminal_) return so_far + rate + left + last;
  const double share = total_ > 0 ? static_cast<double>(done) / static_cast<double>(total_) : 0;
  // One column stays free: a full line would wrap.
  return fitted({so_far + rate + left + last, so_far + left + last, so_far + left, so_far},
                std::clamp(share, 0.0, 1.0), screen_width(STDERR_FILENO) - 1);
}

void ProgressBar::update(std::int64_t done, std::string_view note) {
  const auto now = std::chrono::steady_clock::now();
  if (quiet_ || now - last_ < (terminal_ ? std::chrono::milliseconds(kRedraw) : kPlainLine)) return;
  last_ = now;
  drawn_ = true;
  fmt::print(stderr, "{}{}{}", terminal_ ? "\r\x1b[K" : "", line(done, note),
             terminal_ ? "" : "\n");
  std::fflush(stderr);
}

std::string human_bytes(double bytes) { return bytes_text(bytes); }

std::string human_seconds(double seconds) {
  if (seconds < 100) return fmt::format("{:.3g} s", seconds);
  const auto whole = std::int64_t{std::lround(seconds)};
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace npq::app
