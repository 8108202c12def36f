#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "npq/base/files/run_folder.h"
#include "npq/train/checkpoints/run_state.h"
#include "npq/train/loop/learner.h"
#include "npq/train/loop/reports.h"
#include "npq/train/loop/run_log.h"

namespace npq::train {

struct Watchers {
  std::function<void(const StepReport&)> step;  // after each update
  std::function<void(const EvaluationReport&)> evaluation;
  std::function<bool()> stop;  // asked after every step: true writes the state and ends
};

enum class Ending { Finished, Stopped };

/// One run: trains a network in a run folder, so that killing the process at any instant and
/// resuming gives the same final bits as never having been killed.
class Trainer {
 public:
  /// A new run in `folder`. `about` (versions, machine) is kept in config.json beside the options.
  /// What cannot be begun, as with weights that do not fit, leaves no folder behind.
  static std::unique_ptr<Trainer> start(const std::filesystem::path& folder,
                                        const TrainOptions& options, const nlohmann::json& about);
  /// Goes on from the saved state. What is to change is noted in config.json, with its step.
  static std::unique_ptr<Trainer> resume(const std::filesystem::path& folder,
                                         const ResumeOptions& changes = {});

  Ending run(const Watchers& watchers);

  const TrainOptions& options() const { return learner_.options(); }
  const Network& network() const { return learner_.network(); }
  std::int64_t next_step() const { return learner_.next_step(); }
  double best_score() const { return progress_.best_score; }
  std::int64_t best_step() const { return progress_.best_step; }
  const RunPaths& paths() const { return folder_.paths(); }

 private:
  Trainer(RunFolder folder, const TrainOptions& options);

  StepReport update();
  EvaluationReport evaluate(std::int64_t step);
  void initialise();
  void save_state();
  void finish();
  double seconds() const;

  RunFolder folder_;
  Learner learner_;
  clrs::Dataset validation_;
  model::TensorBatch watched_;  // where the memory's health is looked at; empty without a memory
  RunLog log_;
  Progress progress_;                       // its seconds: those before this process
  std::optional<std::int64_t> saved_step_;  // that the saved state goes on with
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace npq::train
