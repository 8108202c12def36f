#pragma once
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "npq/base/files/mapped_file.h"
#include "npq/base/formats/dtype.h"

namespace npq {

struct TensorInfo {
  std::string name;
  Dtype dtype;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;  // bytes, counted from the end of the header
  std::uint64_t end = 0;
};

/// A file of named arrays: u64 header length, a JSON header, raw little-endian data. Weights,
/// training states and data sets are kept in it; the Python package `safetensors` reads what we
/// write and the other way round.
///
/// Nothing in the file is trusted. Sizes are compared with the file before memory is taken; the
/// tensors must fill the data exactly, without gap, overlap or trailing bytes; names are unique;
/// shape, dtype and byte range agree. What breaks a rule is one Error that names file and tensor.
class SafetensorsFile {
 public:
  static SafetensorsFile open(const std::filesystem::path& path);
  /// Reads `bytes`, which must outlive the object; `name` stands for the file in messages.
  static SafetensorsFile from_bytes(std::span<const std::byte> bytes, std::string name);

  /// All tensors in the order of their bytes.
  const std::vector<TensorInfo>& tensors() const { return tensors_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }

  /// The tensor of that name or nullptr.
  const TensorInfo* find(std::string_view name) const;
  /// The tensor of that name; a missing one is an Error that names the nearest.
  const TensorInfo& at(std::string_view name) const;
  /// Its bytes as they lie in the file, perhaps not aligned: memcpy from them, do not cast.
  std::span<const std::byte> bytes(std::string_view name) const;

  /// A copy of its numbers. The dtype must be T's own; BOOL is read as std::uint8_t, F16 and BF16
  /// as std::uint16_t.
  template <class T>
  std::vector<T> values(std::string_view name) const {
    const TensorInfo& info = at(name);
    if (!dtype_holds<T>(info.dtype)) fail_dtype(info, dtype_name(dtype_of<T>()));
    const auto source = bytes(name);
    std::vector<T> numbers(source.size() / sizeof(T));
    if (!source.empty()) std::memcpy(numbers.data(), source.data(), source.size());
    return numbers;
  }

  /// The file's name for messages of those who read it.
  const std::string& name() const { return name_; }

 private:
  SafetensorsFile() = default;
  void parse(std::span<const std::byte> bytes);
  [[noreturn]] void fail_dtype(const TensorInfo& info, std::string_view asked) const;

  std::string name_;
  MappedFile file_;
  std::span<const std::byte> data_;
  std::vector<TensorInfo> tensors_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::map<std::string, std::string> metadata_;
};

}  // namespace npq
