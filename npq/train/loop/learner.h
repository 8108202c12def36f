#pragma once
#include <cstdint>
#include <optional>

#include "npq/train/loop/adam.h"
#include "npq/train/loop/average.h"
#include "npq/train/loop/reports.h"
#include "npq/train/loop/subject.h"

namespace npq::train {

/// The updates of a subject, one after the other, with the optimiser's state and the mean of the
/// weights. Nothing is written anywhere.
class Learner {
 public:
  explicit Learner(Subject& subject);

  /// The next batch and one step. A loss or gradient that is not finite is an Error, before the
  /// parameters change.
  StepReport update();

  /// The subject's judgement of the mean of its weights, where one is kept. The weights are as
  /// before.
  std::optional<EvaluationReport> evaluate_mean();

  Subject& subject() const { return *subject_; }
  std::int64_t next_step() const { return next_step_; }

  /// Beside the parameters and what the subject itself remembers.
  struct State {
    std::int64_t next_step;
    Adam::State adam;
    NamedTensors mean;  // of the weights; empty where none is kept
  };
  State state() const { return {next_step_, adam_.state(), average_.mean()}; }
  void set_state(const State& state);

 private:
  Subject* subject_;
  Adam adam_;
  Average average_;
  std::int64_t next_step_ = 0;
};

}  // namespace npq::train
