#pragma once
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "npq/base/files/run_kind.h"
#include "npq/ops/parameter_store.h"
#include "npq/train/checkpoints/checkpoint.h"
#include "npq/train/checkpoints/stored_state.h"
#include "npq/train/loop/adam_options.h"
#include "npq/train/loop/reports.h"
#include "npq/train/ranks/ranks.h"

namespace npq::train {

/// What is learned: a network with its data, its loss and its judgement. Updates are made by a
/// Learner; run folders, logs, saving and resuming are a Trainer's. Both know nothing of what it is.
class Subject {
 public:
  /// Without `ranks` it is trained by this process alone.
  explicit Subject(std::shared_ptr<Ranks> ranks = std::make_shared<Ranks>())
      : ranks_(std::move(ranks)) {}
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  virtual ~Subject() = default;

  /// Of the processes that train it.
  Ranks& ranks() const { return *ranks_; }

  virtual const RunKind& kind() const = 0;
  /// All that decides the numbers of a run, as config.json keeps it; what of it a resumed run may
  /// be asked for anew; and what result.json says beside what all runs say.
  virtual nlohmann::json options() const = 0;
  virtual std::vector<std::string> changeable() const = 0;
  virtual nlohmann::json facts() const;

  /// Updates of a whole run, and those of the unit that its length is counted in.
  virtual std::int64_t steps() const = 0;
  virtual std::int64_t steps_per_unit() const { return 1; }

  virtual const ops::ParameterStore& store() const = 0;
  /// What a checkpoint needs beside parameters: batch norm's statistics. The tensors themselves, so
  /// that another run's numbers can be copied into them.
  virtual NamedTensors statistics() const { return {}; }

  /// Of the next update: the optimiser's options and the limit of the gradients' norm (0: none).
  virtual AdamOptions adam() const = 0;
  virtual double clip() const { return 0; }
  /// Decay of the mean of the weights, see average.h; 0: there is none.
  virtual double average() const { return 0; }
  /// What a resumed run is asked for, whatever a schedule had come to.
  virtual void set_learning_rate(double rate) = 0;

  /// The loss of the next batch; its gradients are left in the store.
  virtual StepReport compute_gradients(std::int64_t step) = 0;
  /// The update was made, with the report of compute_gradients: what the batch changes beside
  /// parameters is changed now.
  virtual void finish_update(const StepReport& /*report*/) {}

  virtual bool is_evaluated_after(std::int64_t step) const = 0;
  /// Measures the network as it is, behind the update `step`.
  virtual EvaluationReport evaluate(std::int64_t step) = 0;
  /// The run goes on with that result: a schedule looks at it.
  virtual void finish_evaluation(const EvaluationReport& /*report*/) {}

  /// What decides the batches and rates to come, beside the step: fields of state.safetensors.
  virtual Metadata state() const = 0;
  /// Goes on from there. What cannot be is an Error, and nothing was changed.
  virtual void set_state(const StoredState& state) = 0;

 private:
  std::shared_ptr<Ranks> ranks_;
};

/// What a checkpoint of it holds: parameters and statistics.
NamedTensors weights_of(const Subject& subject);

}  // namespace npq::train
