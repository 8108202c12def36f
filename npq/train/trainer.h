#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "npq/base/line_log.h"
#include "npq/base/run_folder.h"
#include "npq/train/learner.h"

namespace npq::train {

struct EvaluationReport {
  std::int64_t step = 0;
  double score = 0;                      // validation
  std::map<std::string, double> scores;  // by output
  bool best = false;
  double seconds = 0;
};

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
  static std::unique_ptr<Trainer> start(const std::filesystem::path& folder,
                                        const TrainOptions& options, const nlohmann::json& about);
  /// Goes on from the saved state; `total_steps` > 0 asks for another number of steps than
  /// config.json.
  static std::unique_ptr<Trainer> resume(const std::filesystem::path& folder,
                                         std::int64_t total_steps = 0);

  Ending run(const Watchers& watchers);

  const TrainOptions& options() const { return learner_.options(); }
  const Network& network() const { return learner_.network(); }
  std::int64_t next_step() const { return learner_.next_step(); }
  double best_score() const { return best_score_; }
  std::int64_t best_step() const { return best_step_; }
  const RunPaths& paths() const { return folder_.paths(); }

 private:
  Trainer(RunFolder folder, const TrainOptions& options);

  StepReport update();
  EvaluationReport evaluate(std::int64_t step);
  void log(const StepReport& report);
  void log(const EvaluationReport& report);
  void save_state();
  void load_state();
  void finish();
  double seconds() const;

  RunFolder folder_;
  Learner learner_;
  clrs::Dataset validation_;
  LineLog metrics_;
  double best_score_ = -1;
  std::int64_t best_step_ = -1;
  double seconds_before_ = 0;  // spent before this process
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace npq::train
