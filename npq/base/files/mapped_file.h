#pragma once
#include <cstddef>
#include <filesystem>
#include <span>

namespace npq {

/// A regular file as memory, read only: nothing is copied, and several processes share the pages.
/// Our own files never change in place (see AtomicFile), so the mapping keeps what it was opened
/// on, even when the name is replaced.
class MappedFile {
 public:
  MappedFile() = default;
  /// Throws if there is no such file, it may not be read, or it is a folder, a pipe or a device.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace npq
