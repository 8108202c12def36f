#pragma once
#include <nlohmann/json_fwd.hpp>

namespace npq::clrs {

/// What is known of the official splits, shipped inside the library: per algorithm and split the
/// number of samples, trajectory lengths, and per array its count and SHA-256 (scalars also sums).
/// Layout: docs/data.md.
const nlohmann::json& official_splits();

}  // namespace npq::clrs
