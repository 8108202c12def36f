#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "npq/ops/saved.h"

// Which channels of the pairs' values carry a gradient, on its way through a graph of gradients.
namespace npq::ops {

/// Checks that there is one mark per channel, or none at all.
void check_channels(std::string_view kernel, const std::vector<bool>& marks, std::int64_t channels);

inline at::IValue saved_channels(const std::vector<bool>& marks) {
  return saved_value(std::vector<std::uint8_t>(marks.begin(), marks.end()));
}
inline std::vector<std::uint8_t> loaded_channels(const at::IValue& saved) {
  return loaded_value<std::vector<std::uint8_t>>(saved);
}

/// Null for none: then all channels have one.
inline const std::uint8_t* channel_marks(const std::vector<std::uint8_t>& channels) {
  return channels.empty() ? nullptr : channels.data();
}

}  // namespace npq::ops
