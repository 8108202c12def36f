#pragma once
#include <chrono>
#include <functional>
#include <memory>

#include "npq/experiment/status.h"

namespace npq::experiment {

struct RunnerOptions {
  Places places;
  std::string program;  // npq, whose commands train and evaluate do the work
  int workers = 1;      // runs at the same time
  int ranks = 1;        // processes of each
  int threads = 1;      // of each of those
  bool slurm = false;   // ranks are started by srun, on all machines of the job
};

/// Something that happened to a run.
struct Event {
  enum class Kind { Started, Resumed, Testing, Finished, Crashed, GivenUp, Stopped };
  Kind kind;
  const PlannedRun* run;
  std::string note;
};

/// The state at one moment.
struct Snapshot {
  struct Active {
    const PlannedRun* run;
    bool testing;
    double seconds;  // since this process began with it
  };
  std::vector<Active> active;
  int total = 0, finished = 0, failed = 0;
  int elsewhere = 0;  // claimed by other processes, when last looked at
};

struct Watch {
  std::function<void(const Event&)> event;
  std::function<void(const Snapshot&)> tick;  // a few times a second
  /// How often a stop was requested: once lets the workers save their state, twice does not.
  std::function<int()> interrupts;
};

struct Outcome {
  int finished = 0;
  std::vector<std::string> failed;  // a sentence each
  bool stopped = false;
};

/// Works through a plan in child processes until every run is finished or given up. Several
/// runners, on one machine or on several that share the folder, divide the work: a run belongs to
/// the holder of its claim. A run whose process crashes is resumed once. The runner waits for runs
/// of others, and takes them over if these are killed.
Outcome work_through(const Plan& plan, const RunnerOptions& options, const Watch& watch);

}  // namespace npq::experiment
