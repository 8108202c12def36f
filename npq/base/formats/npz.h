#pragma once
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "npq/base/files/mapped_file.h"
#include "npq/base/formats/array_data.h"
#include "npq/base/formats/zip_directory.h"

namespace npq {

/// numpy's file of several arrays (savez, savez_compressed): a zip archive of .npy files. Nothing
/// in it is trusted; see zip_directory.h and npy.h for the rules. What breaks one is an Error that
/// names the file and the array.
class NpzFile {
 public:
  static NpzFile open(const std::filesystem::path& path);
  /// Reads `bytes`, which must outlive the object; `name` stands for the file in messages.
  static NpzFile from_bytes(std::span<const std::byte> bytes, std::string name);

  /// Names of the arrays in file order, without ".npy".
  const std::vector<std::string>& names() const { return names_; }
  bool contains(std::string_view name) const { return index_.contains(name); }
  /// The array of that name; a missing one is an Error.
  ArrayData read(std::string_view name) const;

 private:
  NpzFile() = default;
  void parse(std::span<const std::byte> bytes);

  std::string name_;
  MappedFile file_;
  std::span<const std::byte> bytes_;
  std::vector<ZipEntry> entries_;
  std::vector<std::string> names_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

}  // namespace npq
