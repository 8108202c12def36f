#pragma once
#include "npq/model/model.h"
#include "npq/ops/parameter_store.h"
#include "npq/train/options.h"
#include "npq/train/task.h"

namespace npq::train {

/// A task, the parameters for it, and the model that computes with them.
struct Network {
  Task task;
  ops::ParameterStore store;
  model::Model model;

  /// With fresh parameters, drawn from the options' seed.
  explicit Network(const TrainOptions& options);
};

}  // namespace npq::train
