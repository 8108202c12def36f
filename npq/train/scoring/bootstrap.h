#pragma once
#include <cstdint>
#include <vector>

namespace npq::train {

/// Resamples of n samples, with replacement: row r holds n indices. One set of draws serves all
/// figures of a sheet.
std::vector<std::vector<std::int64_t>> draw_resamples(std::int64_t samples, int count,
                                                      std::uint32_t seed);

}  // namespace npq::train
