#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "npq/base/files/run_folder.h"
#include "npq/base/options/option_table.h"
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

/// One run: trains a subject in a run folder, so that killing the process at any instant and
/// resuming gives the same final bits as never having been killed.
class Trainer {
 public:
  /// A new run in `folder`. `about` (versions, machine) is kept in config.json beside the options.
  /// What cannot be begun, as with weights that do not fit, leaves no folder behind.
  static std::unique_ptr<Trainer> start(const std::filesystem::path& folder,
                                        std::unique_ptr<Subject> subject,
                                        const nlohmann::json& about);
  /// Goes on from the saved state of a run whose `config` says what else `subject` is. The options
  /// of the subject have the `changes` that are asked for: they are noted in config.json, with
  /// their step.
  static std::unique_ptr<Trainer> resume(RunFolder folder, nlohmann::json config,
                                         std::unique_ptr<Subject> subject,
                                         const GivenOptions& changes);

  /// A rank other than the first: it computes what rank 0 does and leaves all files to that one.
  static std::unique_ptr<Trainer> follow(const std::filesystem::path& folder,
                                         std::unique_ptr<Subject> subject);

  /// Ranks stop together: after the update that follows the first of them to be asked.
  Ending run(const Watchers& watchers);

  const Subject& subject() const { return *subject_; }
  const RunKind& kind() const { return subject_->kind(); }
  std::int64_t next_step() const { return learner_.next_step(); }
  std::int64_t steps() const { return subject_->steps(); }
  /// The whole length in the unit that it is counted in: steps or epochs.
  std::int64_t length() const { return steps() / subject_->steps_per_unit(); }
  const RunProgress& progress() const { return progress_; }
  const RunPaths& paths() const { return paths_; }

 private:
  Trainer(RunPaths paths, std::optional<RunFolder> folder, std::unique_ptr<Subject> subject);

  Ending train(const Watchers& watchers);
  StepReport update();
  EvaluationReport evaluate(std::int64_t step);
  void note_changes(nlohmann::json config, const GivenOptions& changes);
  void save_weights(const std::filesystem::path& path, const NamedTensors& weights,
                    std::int64_t at) const;
  void save_state();
  void finish();
  double seconds() const;

  RunPaths paths_;
  std::optional<RunFolder> folder_;  // of the rank that writes
  std::unique_ptr<Subject> subject_;
  Learner learner_;
  std::optional<RunLog> log_;
  RunProgress progress_;                    // its seconds: those before this process
  std::optional<std::int64_t> saved_step_;  // that the saved state goes on with
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace npq::train
