#pragma once
#include <fmt/ranges.h>

#include <map>
#include <span>
#include <string>

#include "npq/base/formats/dtype.h"
#include "npq/base/formats/sha256.h"

namespace npq {

/// SHA-256 of the data part of a safetensors file, and of what its header says about it: metadata
/// (without the sums themselves), and every tensor's name, dtype and shape.
class TensorChecksums {
 public:
  static constexpr const char* kData = "sha256";  // keys of the metadata that state them
  static constexpr const char* kHeader = "header_sha256";

  explicit TensorChecksums(const std::map<std::string, std::string>& metadata) {
    for (const auto& [key, value] : metadata)
      if (key != kData && key != kHeader) text(key), text(value);
  }
  void add(const std::string& name, Dtype dtype, std::span<const std::int64_t> shape,
           std::span<const std::byte> bytes) {
    text(name);
    text(fmt::format("{} [{}]", dtype_name(dtype), fmt::join(shape, ", ")));
    data_.update(bytes);
  }
  std::map<std::string, std::string> finish() {
    return {{kData, data_.hex_digest()}, {kHeader, header_.hex_digest()}};
  }

 private:
  void text(const std::string& words) {
    // With its zero at the end, so that "a" "bc" is not "ab" "c".
    header_.update(std::as_bytes(std::span(words.c_str(), words.size() + 1)));
  }
  Sha256 data_, header_;
};

}  // namespace npq
