#pragma once
#include "npq/model/evaluation.h"
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

/// Scores and predictions of a network on samples, in their order, batch by batch. `progress`
/// counts samples.
struct Predictions {
  model::Scores scores;
  std::vector<model::Evaluation> batches;  // if kept
};
Predictions predict(const Network& network, std::span<const clrs::Sample> samples,
                    std::int64_t batch_size, bool keep, const clrs::Progress& progress = {});

}  // namespace npq::train
