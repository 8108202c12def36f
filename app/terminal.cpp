#include "app/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "app/output.h"

namespace npq::app {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr auto kPlainLine = std::chrono::seconds(5);

bool colours() {
  static const bool on = isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR");
  return on;
}

/// Columns on the screen: bytes that start a UTF-8 character, less what colour sequences take.
std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && text[i] != 'm') ++i;
      continue;
    }
    width += (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
  }
  return width;
}

}  // namespace

std::string paint(std::string_view text, Colour colour) {
  static constexpr int codes[] = {0, 1, 2, 31, 32, 33, 34, 36};
  if (!colours() || colour == Colour::Plain) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<int>(colour)], text);
}

ProgressBar::ProgressBar(std::string what, std::int64_t total, bool quiet)
    : what_(std::move(what)),
      total_(total),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO)),
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

void ProgressBar::update(std::int64_t done, std::string_view note) {
  const auto now = std::chrono::steady_clock::now();
  if (quiet_ || now - last_ < (terminal_ ? std::chrono::milliseconds(kRedraw) : kPlainLine)) return;
  last_ = now;
  drawn_ = true;
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  const double rate = done / std::max(elapsed, 1e-9);
  const std::string left = done > 0 ? human_seconds((total_ - done) / std::max(rate, 1e-9)) : "?";
  const auto line = fmt::format("{} {}/{}  {:.3g}/s  {} left{}{}", what_, done, total_, rate, left,
                                note.empty() ? "" : "  ", note);
  if (!terminal_) {
    fmt::print(stderr, "{}\n", line);
    return;
  }
  constexpr int kWidth = 24;
  const int filled = total_ > 0 ? static_cast<int>(kWidth * done / total_) : 0;
  fmt::print(stderr, "\r\x1b[K[{}{}] {}", std::string(filled, '#'),
             std::string(kWidth - filled, '.'), line);
  std::fflush(stderr);
}

std::string table(const std::vector<std::vector<std::string>>& rows,
                  const std::vector<int>& right) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const std::string padding(widths[c] - width_of(rows[r][c]), ' ');
      const bool align_right =
          std::find(right.begin(), right.end(), static_cast<int>(c)) != right.end();
      const std::string cell = r == 0 ? paint(rows[r][c], Colour::Bold) : rows[r][c];
      line += align_right ? padding + cell : cell + padding;
      if (c + 1 < rows[r].size()) line += "  ";
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    text += line + "\n";
  }
  return text;
}

std::string human_bytes(double bytes) {
  static constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB"};
  int unit = 0;
  while (bytes >= 1000 && unit < 4) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string human_seconds(double seconds) {
  if (seconds < 100) return fmt::format("{:.3g} s", seconds);
  const auto whole = std::int64_t{std::lround(seconds)};
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace npq::app
