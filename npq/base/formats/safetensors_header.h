#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "npq/base/formats/safetensors.h"

namespace npq {

/// What the JSON header of a safetensors file says, in the order of the text.
struct SafetensorsHeader {
  std::vector<TensorInfo> tensors;
  std::map<std::string, std::string> metadata;
};

/// The key under which the header keeps texts instead of a tensor.
inline constexpr std::string_view kMetadataKey = "__metadata__";

/// The limit that the format's own library sets.
inline constexpr std::uint64_t kLargestSafetensorsHeader = 100'000'000;

/// Reads the header text; any departure from the format is an Error. Byte ranges are not yet
/// compared with each other. `file` names the file in messages.
SafetensorsHeader parse_safetensors_header(std::string_view json, const std::string& file);

/// An Error about a damaged file, in one form for all of them.
[[noreturn]] void fail_safetensors(const std::string& file, const std::string& reason);

}  // namespace npq
