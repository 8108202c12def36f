#pragma once
#include <fmt/ranges.h>

#include <map>
#include <span>
#include <string>

#include "npq/base/dtype.h"
#include "npq/base/sha256.h"

namespace npq {

/// SHA-256 of all that a safetensors file says: metadata (but for the checksum itself), and every
/// tensor's name, dtype, shape and numbers.
class TensorChecksum {
 public:
  static constexpr const char* kKey = "sha256";  // of the metadata that states it

  explicit TensorChecksum(const std::map<std::string, std::string>& metadata) {
    for (const auto& [key, value] : metadata)
      if (key != kKey) text(key), text(value);
  }
  void add(const std::string& name, Dtype dtype, std::span<const std::int64_t> shape,
           std::span<const std::byte> bytes) {
    text(name);
    text(fmt::format("{} [{}]", dtype_name(dtype), fmt::join(shape, ", ")));
    hash_.update(bytes);
  }
  std::string hex_digest() { return hash_.hex_digest(); }

 private:
  void text(const std::string& words) {
    // With its zero at the end, so that "a" "bc" is not "ab" "c".
    hash_.update(std::as_bytes(std::span(words.c_str(), words.size() + 1)));
  }
  Sha256 hash_;
};

}  // namespace npq
