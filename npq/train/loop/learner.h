#pragma once
#include <cstdint>

#include "npq/train/loop/adam.h"
#include "npq/train/loop/reports.h"
#include "npq/train/loop/training_data.h"
#include "npq/train/network.h"

namespace npq::train {

/// A network with its data and its optimiser: update() takes the next batch and one step. Nothing
/// is written anywhere.
class Learner {
 public:
  explicit Learner(const TrainOptions& options);

  /// A loss or gradient that is not finite is an Error, before the parameters change.
  StepReport update();

  const TrainOptions& options() const { return options_; }
  const Network& network() const { return network_; }
  std::int64_t next_step() const { return next_step_; }

  /// All that decides the updates to come.
  struct State {
    std::int64_t next_step;
    std::int64_t position;  // of the data
    Adam::State adam;
  };
  State state() const { return {next_step_, data_.position(), adam_.state()}; }
  /// Goes on from there; the parameters themselves must have been loaded into the network.
  void set_state(const State& state);

 private:
  TrainOptions options_;
  Network network_;
  TrainingData data_;
  Adam adam_;
  std::int64_t next_step_ = 0;
};

}  // namespace npq::train
