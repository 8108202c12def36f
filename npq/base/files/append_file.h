#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace npq {

/// A file that only grows at its end, and shrinks only to return to an earlier state: the basis of
/// logs. Nothing is buffered, so readers see what was appended at once. One writer at a time
/// (see RunFolder).
class AppendFile {
 public:
  /// Opens or creates the file.
  explicit AppendFile(std::filesystem::path path);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  /// Adds the bytes in a single write. If that fails, on a full disk, the file is as before.
  void append(std::string_view bytes);
  /// Returns to an earlier size.
  void truncate(std::uint64_t size);
  /// Returns once everything is on the disk.
  void sync();

  /// All bytes so far. An Error if there are more than `most`: they go into memory.
  std::string content(std::uint64_t most) const;
  std::uint64_t size() const { return size_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace npq
