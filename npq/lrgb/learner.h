#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "npq/lrgb/model.h"
#include "npq/lrgb/plateau.h"
#include "npq/lrgb/train_options.h"
#include "npq/peptides/dataset.h"
#include "npq/train/loop/adam.h"
#include "npq/train/loop/reports.h"

namespace npq::lrgb {

/// A network with its data and its optimiser (AdamW; without weight decay, as published, that is
/// Adam): update() takes the next batch and one step. Nothing is written anywhere.
class Learner {
 public:
  Learner(const TrainOptions& options, const peptides::Dataset& dataset);

  /// A loss or gradient that is not finite is an Error, before the parameters change.
  train::StepReport update();

  /// |prediction - target|, standardised: the 11 targets of the first molecule of a part, then of
  /// the next.
  std::vector<double> errors(peptides::Part part) const;
  /// mean |prediction - target| over the molecules of a part and the 11 targets, standardised.
  double mean_error(peptides::Part part) const;
  /// How the memory is doing on the first validation batch, see train/measuring/memory_health.h;
  /// beside that `dead` and `sure`, the shares of pushes of a strength below 1e-6 and beyond 0.999.
  /// Empty without a memory.
  std::map<std::string, double> memory_health() const;

  const TrainOptions& options() const { return options_; }
  const ops::ParameterStore& store() const { return store_; }
  std::int64_t steps_per_epoch() const;
  std::int64_t next_step() const { return state_.next_step; }

  /// All that decides the updates to come, beside parameters and Adam's state.
  struct State {
    std::int64_t next_step = 0;
    double loss_sum = 0;  // of this epoch's molecules so far
    Plateau plateau;
    Statistics statistics;
  };
  State& state() { return state_; }
  const State& state() const { return state_; }
  train::Adam& adam() { return adam_; }
  const train::Adam& adam() const { return adam_; }

 private:
  struct Batch {
    Graphs graphs;
    at::Tensor targets;
  };
  Batch batch_of(std::span<const std::int64_t> rows) const;
  std::vector<std::int64_t> order_of(std::int64_t epoch) const;

  TrainOptions options_;
  const peptides::Dataset* dataset_;
  ops::ParameterStore store_;
  Model model_;
  train::Adam adam_;
  State state_;
  std::int64_t ordered_epoch_ = -1;
  std::vector<std::int64_t> order_;  // of that epoch
};

}  // namespace npq::lrgb
