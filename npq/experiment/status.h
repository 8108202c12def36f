#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "npq/experiment/plan.h"
#include "npq/experiment/record.h"

namespace npq::experiment {

/// The progress of a run of a plan, read from folders alone.
enum class State {
  Waiting,    // nothing there yet
  Stopped,    // begun, and no process works on it
  Training,   // a process works on it
  Trained,    // its test scores are missing, and no process works on them
  Testing,    // a process works on those
  Done,       // trained, and tested at all sizes
  Committed,  // a finished result of the same run is in the project
  Failed,     // given up
  Foreign,    // its folder holds something else
};
const char* state_name(State state);

struct Status {
  State state = State::Waiting;
  std::int64_t step = 0;  // updates made
  double seconds = 0;     // of work so far
  std::optional<double> loss, validation;
  std::string note;  // why it failed, or why it cannot start

  bool finished() const { return state == State::Done || state == State::Committed; }
  bool claimed() const { return state == State::Training || state == State::Testing; }
};

/// Where the runs of a plan lie: their folders below `out`, committed results below `results`/NAME.
struct Places {
  std::filesystem::path out, results;
};

Status status_of(const Plan& plan, const PlannedRun& run, const Places& places);

}  // namespace npq::experiment
