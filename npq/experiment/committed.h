#pragma once
#include <filesystem>
#include <optional>

#include "npq/experiment/plan.h"

namespace npq::experiment {

/// Where a finished run is kept in the project: RESULTS/NAME/ALGORITHM/PROCESSOR/METHOD/seedS.json.
std::filesystem::path committed_file(const std::filesystem::path& results, const Plan& plan,
                                     const PlannedRun& run);

/// The file of the same run: the same flags, seed and steps, tested at all sizes of the plan. Its
/// own if it exists, otherwise that of another experiment: no model need be trained twice. Nothing
/// if there is none; an Error if its own file cannot be read.
std::optional<std::filesystem::path> committed_result(const std::filesystem::path& results,
                                                      const Plan& plan, const PlannedRun& run);

}  // namespace npq::experiment
