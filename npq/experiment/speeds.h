#pragma once
#include <functional>
#include <optional>

#include "npq/experiment/status.h"

namespace npq::experiment {

/// How long a plan will take, roughly: training alone, on one thread per run.
struct Estimate {
  double seconds = 0;  // of all that is to be trained, one run after the other
  int measured = 0;    // runs whose speed was seen on this machine
  int stored = 0;      // runs whose speed comes from the stored table
  int unknown = 0;     // runs of unknown speed; not in `seconds`
  int trained = 0;     // runs that are trained, and only to be tested
  int foreign = 0;     // runs whose folder holds something else: they are not trained
  /// Runs to work on.
  int to_do() const { return measured + stored + unknown + trained; }
};

/// Seconds of one update of a model as measured on this machine; nothing if it was not.
using Measured = std::function<std::optional<double>(const PlannedRun&)>;

/// Runs of the same model in `places.out` count as measured, then what `measured` says, then the
/// stored table.
Estimate estimate(const Plan& plan, const Places& places, const Measured& measured = nullptr);

/// Seconds of one update, or one epoch of peptides, by npq/experiment/speeds.json: that of the
/// algorithm with MPNN and no memory, times how much slower the processor and the memory are; with
/// some milliseconds per update at least.
std::optional<double> stored_speed(const PlannedRun& run);
/// Where the stored speed of such a run was measured.
std::string stored_machine(const PlannedRun& run);

}  // namespace npq::experiment
