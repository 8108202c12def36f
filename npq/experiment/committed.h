#pragma once
#include <filesystem>
#include <optional>

#include "npq/experiment/plan.h"

namespace npq::experiment {

/// Where a finished run is kept in the project: RESULTS/NAME/ALGORITHM/PROCESSOR/METHOD/seedS.json.
std::filesystem::path committed_file(const std::filesystem::path& results, const Plan& plan,
                                     const PlannedRun& run);

/// The file of a run that is the same: the same flags, seed and steps, tested at all sizes of the
/// plan. Its own if it is there, else that of another experiment: the same model need not be
/// trained for each. Nothing if there is none; what is in its own place but cannot be read is
/// an Error.
std::optional<std::filesystem::path> committed_result(const std::filesystem::path& results,
                                                      const Plan& plan, const PlannedRun& run);

}  // namespace npq::experiment
