#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "npq/base/files/append_file.h"

namespace npq {

/// A text file that only grows, line by line: metrics.jsonl. A process may be killed in the middle
/// of a line; readers ignore such an incomplete last line and the next writer removes it. One
/// writer at a time (see RunFolder).
class LineLog {
 public:
  /// Opens or creates the file and removes an incomplete last line.
  explicit LineLog(std::filesystem::path path);

  /// Adds one line, in a single write. If that fails, on a full disk, the file is as before.
  void append(std::string_view line);
  /// Bytes so far.
  std::uint64_t size() const { return file_.size(); }
  /// Every line is a JSON object. Removes the first one whose "step" is beyond `step`, and all
  /// after it: lines that a killed process logged after it saved its state.
  void cut_beyond_step(std::int64_t step);
  /// Returns once the lines are on the disk; to be called before saving a state that relies on
  /// them.
  void sync() { file_.sync(); }

 private:
  AppendFile file_;
};

/// The complete lines of a log, also while it is being written; none if there is no such file.
std::vector<std::string> read_lines(const std::filesystem::path& path);

}  // namespace npq
