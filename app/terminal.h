#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Output for users: colours and bars only on a terminal, plain lines in a log.
namespace npq::app {

enum class Colour { Plain, Bold, Dim, Red, Green, Yellow, Blue, Cyan };

/// `text` in that colour if standard output is a terminal with colours (and NO_COLOR is not set),
/// otherwise unchanged.
std::string paint(std::string_view text, Colour colour);

/// Whether escape sequences may be sent there: to a terminal that is not TERM=dumb.
bool draws(int descriptor);
/// The columns of the terminal there; 0 if it is not a terminal.
std::size_t screen_width(int descriptor);

/// Columns that a text takes: its UTF-8 characters without colour sequences.
std::size_t width_of(std::string_view text);
/// As much of its beginning as fits into so many columns.
std::string shortened(std::string_view text, std::size_t width);

/// Progress on standard error: a bar with rate and time left on a terminal, as much of it as fits
/// there; else a line every few seconds.
class ProgressBar {
 public:
  ProgressBar(std::string what, std::int64_t total, bool quiet);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(std::int64_t done, std::string_view note = "");
  /// A line above the bar, on standard output.
  void print(std::string_view line);
  /// Takes the bar off the screen.
  void clear();

 private:
  std::string line(std::int64_t done, std::string_view note) const;

  std::string what_;
  std::int64_t total_;
  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point begin_, last_;
};

/// "1.5 GB", "320 MB", "17 kB".
std::string human_bytes(double bytes);
/// "2 h 05 min", "3 min 20 s", "4.2 s".
std::string human_seconds(double seconds);

}  // namespace npq::app
