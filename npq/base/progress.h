#pragma once
#include <cstdint>
#include <functional>

namespace npq {

/// Told how much of long work is done and how much there is; by one thread at a time.
using Progress = std::function<void(std::int64_t done, std::int64_t total)>;

}  // namespace npq
