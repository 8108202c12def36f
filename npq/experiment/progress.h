#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

#include "npq/experiment/plan.h"

namespace npq::experiment {

/// How far a run's log is.
struct LogEnd {
  std::int64_t step = 0;  // updates or epochs made
  double seconds = 0;
  std::optional<double> loss, validation;  // the newest of each
};

/// Reads the end of a metrics.jsonl, however long it is, also while it is being written;
/// malformed lines are skipped.
LogEnd last_progress(const std::filesystem::path& metrics, const PlannedRun& run);

}  // namespace npq::experiment
