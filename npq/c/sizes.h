#pragma once
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <utility>

#include "npq/c/handles.h"

// Checks of the sizes that a kernel's caller passes.
namespace npq::c {

/// Each is 1 or more, and so many numbers stay far from overflow.
inline void check_sizes(std::initializer_list<std::pair<std::string_view, std::int32_t>> sizes) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / 8;
  std::uint64_t product = 1;
  for (const auto& [name, size] : sizes) {
    if (size < 1) throw UsageError("{} is {}; expected 1 or more", name, size);
    if (product > kMost / static_cast<std::uint64_t>(size))
      throw UsageError("arrays of these sizes have more numbers than any memory holds");
    product *= static_cast<std::uint64_t>(size);
  }
}

/// A choice between 0 and `most`.
inline void check_mark(std::string_view name, std::int32_t mark, std::int32_t most = 1) {
  if (mark < 0 || mark > most)
    throw UsageError("{} is {}; expected a number of 0 to {}", name, mark, most);
}

}  // namespace npq::c
