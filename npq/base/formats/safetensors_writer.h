#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "npq/base/files/atomic_file.h"
#include "npq/base/formats/safetensors.h"

namespace npq {

/// Writes a safetensors file as a stream: first all names and shapes, then the numbers, piece by
/// piece in the order of the declarations, so that a file of several GB needs no second copy in
/// memory. The file appears with commit().
///   SafetensorsWriter file("last.safetensors", {{"step", "100"}});
///   file.declare("weight", Dtype::F32, {128, 64});
///   file.begin();
///   file.append(std::as_bytes(std::span(weight)));
///   file.commit();
class SafetensorsWriter {
 public:
  explicit SafetensorsWriter(std::filesystem::path path,
                             std::map<std::string, std::string> metadata = {});

  /// Announces a tensor. Names are unique UTF-8 without NUL; "__metadata__" belongs to the format.
  void declare(std::string name, Dtype dtype, std::vector<std::int64_t> shape);
  /// Writes the header; the data start at a multiple of 8.
  void begin();
  /// The next bytes of the data. A piece may end anywhere, also inside a number or across tensors.
  void append(std::span<const std::byte> bytes);
  /// Puts the file in place; every declared byte must have come.
  void commit();

 private:
  AtomicFile file_;
  std::map<std::string, std::string> metadata_;
  std::vector<TensorInfo> tensors_;
  std::map<std::string, std::size_t> index_;
  std::uint64_t declared_ = 0;
  std::uint64_t appended_ = 0;
  bool begun_ = false;
};

/// A tensor whose bytes lie in memory.
struct NamedTensor {
  std::string name;
  Dtype dtype;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;
};

/// Writes all of `tensors` in this order.
void write_safetensors(const std::filesystem::path& path, std::span<const NamedTensor> tensors,
                       std::map<std::string, std::string> metadata = {});

}  // namespace npq
