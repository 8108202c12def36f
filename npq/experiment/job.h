#pragma once
#include "npq/experiment/child.h"
#include "npq/experiment/claim.h"
#include "npq/experiment/evaluation.h"
#include "npq/experiment/runner.h"

namespace npq::experiment {

/// One run in the hands of this process: trained, then tested, each by a child process.
class Job {
 public:
  /// Takes the claim and starts or goes on. Nothing if the run is finished, foreign or in other
  /// hands.
  static std::optional<Job> begin(const Plan& plan, const PlannedRun& run,
                                  const RunnerOptions& options, const Watch& watch);

  enum class Phase { Working, Finished, GivenUp, Stopped };
  /// Looks after the child. `stopping`: its end was requested and is not a crash.
  Phase look(bool stopping);
  void send(int signal) const { child_->send(signal); }

  const PlannedRun& run() const { return *run_; }
  bool testing() const { return testing_; }
  double seconds() const;
  const std::string& failure() const { return record_.failure; }

 private:
  Job(const Plan& plan, const PlannedRun& run, const RunnerOptions& options, const Watch& watch,
      Claim claim);
  void start_child();
  Phase after_success();
  void keep_test();
  Phase after_crash(int code);
  std::string last_words(int code) const;
  void tell(Event::Kind kind, const std::string& note = "") const;

  const Plan* plan_;
  const PlannedRun* run_;
  const RunnerOptions* options_;
  const Watch* watch_;
  std::filesystem::path folder_;
  Claim claim_;
  Record record_;
  std::optional<Child> child_;
  bool testing_ = false;
  OpenTests tests_;  // the child at work is at the first that is missing
  int crashes_ = 0;  // in the hands of this process
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace npq::experiment
