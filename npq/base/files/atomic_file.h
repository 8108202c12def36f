#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace npq {

/// Writes a file atomically. Bytes go to a hidden temporary beside the final name; commit() flushes
/// them to the disk and renames. So at any moment, even in a power cut, the final name has either
/// the old or the new content. Without commit() the temporary is removed and the old file stays. If
/// the name is a link, the link stays and its target is replaced.
///
/// The temporary is locked while its writer lives. A killed writer leaves it behind unlocked, and
/// the next writer of the same name removes it; this works between machines that share a folder,
/// where process numbers would not.
class AtomicFile {
 public:
  /// Throws if the folder is missing or not writable, or if something other than a file
  /// has the name: before the work whose result is written, not after.
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  /// Replaces bytes already written, such as a length that is known only at the end.
  void overwrite(std::uint64_t position, std::string_view text);

  /// Bytes written so far.
  std::uint64_t size() const { return size_; }
  const std::filesystem::path& path() const { return path_; }

  /// Puts the file in place; nothing may be written afterwards.
  void commit();

 private:
  void open_temporary();
  void remove_stale_temporaries() const;
  void flush();
  void write_through(std::span<const std::byte> bytes);

  std::filesystem::path path_;    // as given
  std::filesystem::path target_;  // after following links
  std::filesystem::path folder_;
  std::filesystem::path temporary_;
  std::vector<std::byte> buffer_;
  std::uint64_t size_ = 0;
  int descriptor_ = -1;
};

/// Makes a folder and its parents; an existing one is not an error.
void make_folder(const std::filesystem::path& folder);

/// Writes all of `content` to `path` atomically.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace npq
