#pragma once
#include <span>
#include <string>
#include <string_view>

#include "npq/base/error.h"

namespace npq {

/// The known name closest to `name` by edit distance; empty if nothing is near.
std::string nearest_name(std::string_view name, std::span<const std::string_view> known);

/// "no algorithm 'dijkstr'; did you mean 'dijkstra'? known: ..." as a UsageError.
UsageError unknown_name(std::string_view kind, std::string_view name,
                        std::span<const std::string_view> known);

}  // namespace npq
