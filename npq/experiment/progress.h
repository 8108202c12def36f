#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

#include "npq/experiment/plan.h"

namespace npq::experiment {

/// Where a run's log has got to.
struct LogEnd {
  std::int64_t step = 0;  // updates or epochs made
  double seconds = 0;
  std::optional<double> loss, validation;  // the newest of each
};

/// Reads the end of a metrics.jsonl, however long it is, also while it is being written; what is
/// no line of a log is skipped.
LogEnd last_progress(const std::filesystem::path& metrics, const PlannedRun& run);

}  // namespace npq::experiment
