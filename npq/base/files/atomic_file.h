#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace npq {

/// A file that appears whole or not at all. Bytes go to a hidden temporary beside the final name;
/// commit() flushes them to the disk and renames, so at any instant, power cuts included, the final
/// name holds the old content or the new. Without commit() the temporary is removed and what was
/// there stays. Where a link stands at the name, it stays, and what it leads to is replaced.
///
/// The temporary is locked while its writer lives. A killed writer leaves it behind unlocked, and
/// the next writer of the same name removes it; this works between machines that share a folder,
/// where process numbers would not.
class AtomicFile {
 public:
  /// Throws where the folder is missing or not writable, or where something else than a file has
  /// the name: before the work whose result is to be written, not after.
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  /// Replaces bytes that have been written already, such as a length that is known only at the end.
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

  std::filesystem::path path_;    // as it was asked for
  std::filesystem::path target_;  // behind its links
  std::filesystem::path folder_;
  std::filesystem::path temporary_;
  std::vector<std::byte> buffer_;
  std::uint64_t size_ = 0;
  int descriptor_ = -1;
};

/// Makes a folder and those above it; one that is there already is no error.
void make_folder(const std::filesystem::path& folder);

/// Writes all of `content` to `path`, whole or not at all.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace npq
