#pragma once
#include <filesystem>

#include "npq/experiment/plan.h"

namespace npq::experiment {

/// Where a finished run is kept in the project: RESULTS/NAME/ALGORITHM/PROCESSOR/METHOD/seedS.json.
std::filesystem::path committed_file(const std::filesystem::path& results, const Plan& plan,
                                     const PlannedRun& run);

/// Whether that file is there and is the same run: the same flags, seed and steps, tested at all
/// sizes of the plan. What is there but cannot be read is an Error.
bool is_committed(const std::filesystem::path& results, const Plan& plan, const PlannedRun& run);

}  // namespace npq::experiment
