#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What a person sees: colour only on a terminal, bars only on a terminal, plain lines in a log.
namespace npq::app {

enum class Colour { Plain, Bold, Dim, Red, Green, Yellow, Blue, Cyan };

/// `text` in that colour if standard output is a terminal (and NO_COLOR is not set), else as it is.
std::string paint(std::string_view text, Colour colour);

/// Progress on standard error: a bar with rate and time left on a terminal, else a line every few
/// seconds.
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
  std::string what_;
  std::int64_t total_;
  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point begin_, last_;
};

/// Columns padded to their widest cell; the first row is the heading. `right` lists right-aligned
/// columns.
std::string table(const std::vector<std::vector<std::string>>& rows,
                  const std::vector<int>& right = {});

/// "1.5 GB", "320 MB", "17 kB".
std::string human_bytes(double bytes);
/// "2 h 05 min", "3 min 20 s", "4.2 s".
std::string human_seconds(double seconds);

}  // namespace npq::app
