#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "npq/base/files/run_folder.h"
#include "npq/lrgb/learner.h"
#include "npq/lrgb/run_state.h"
#include "npq/train/loop/run_log.h"
#include "npq/train/loop/trainer.h"

namespace npq::lrgb {

/// One line of an epoch.
struct EpochReport {
  std::int64_t epoch = 0, step = 0;  // 0-based; step: the last update of it
  double loss = 0;                   // mean over the epoch's molecules, each before its update
  double val = 0, test = 0;          // mean errors
  double learning_rate = 0;          // of the epoch
  bool best = false;
  double seconds = 0;
};

struct Watchers {
  std::function<void(const train::StepReport&)> step;
  std::function<void(const EpochReport&)> epoch;
  std::function<bool()> stop;  // asked after every step: true writes the state and ends
};

/// One run on peptides, in a run folder as `npq train` makes it: killing the process at any instant
/// and resuming gives the same final bits as never having been killed. After every epoch validation
/// and test errors are measured; what counts is the test error of the epoch whose validation error
/// is least.
class Trainer {
 public:
  static std::unique_ptr<Trainer> start(const std::filesystem::path& folder, TrainOptions options,
                                        const nlohmann::json& about);
  /// Goes on from the saved state. What is to change is noted in config.json, with its step.
  static std::unique_ptr<Trainer> resume(const std::filesystem::path& folder,
                                         const ResumeOptions& changes = {});

  train::Ending run(const Watchers& watchers);

  const TrainOptions& options() const { return learner_.options(); }
  const Learner& learner() const { return learner_; }
  const Progress& progress() const { return progress_; }
  std::int64_t total_steps() const { return options().epochs * learner_.steps_per_epoch(); }
  const RunPaths& paths() const { return folder_.paths(); }

 private:
  Trainer(RunFolder folder, const TrainOptions& options, peptides::Dataset dataset);

  train::StepReport update();
  EpochReport finish_epoch();
  void save_weights(const std::filesystem::path& path, std::int64_t epoch) const;
  void initialise();
  void save_state();
  void finish();
  double seconds() const;

  RunFolder folder_;
  peptides::Dataset dataset_;
  Learner learner_;
  train::RunLog log_;
  Progress progress_;                       // its seconds: those before this process
  std::optional<std::int64_t> saved_step_;  // that the saved state goes on with
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace npq::lrgb
