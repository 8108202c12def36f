#pragma once
#include <vector>

#include "npq/train/loop/subject.h"
#include "npq/train/loop/training_data.h"
#include "npq/train/network.h"

namespace npq::train {

/// An algorithm of the benchmark: judged by the benchmark's score on its official validation set, or
/// by the mean of the scores on graphs of several sizes.
class AlgorithmSubject final : public Subject {
 public:
  explicit AlgorithmSubject(const TrainOptions& options,
                            std::shared_ptr<Ranks> ranks = std::make_shared<Ranks>());

  const Network& network() const { return network_; }

  const RunKind& kind() const override { return kAlgorithmRun; }
  nlohmann::json options() const override;
  std::vector<std::string> changeable() const override;
  std::int64_t steps() const override { return options_.steps; }

  const ops::ParameterStore& store() const override { return network_.store; }
  AdamOptions adam() const override { return options_.adam; }
  double clip() const override { return options_.clip; }
  double average() const override { return options_.average; }
  void set_learning_rate(double rate) override { options_.adam.learning_rate = rate; }

  StepReport compute_gradients(std::int64_t step) override;
  bool is_evaluated_after(std::int64_t step) const override;
  EvaluationReport evaluate(std::int64_t step) override;

  /// The position in the data.
  Metadata state() const override;
  void set_state(const StoredState& state) override;

 private:
  const std::vector<clrs::Dataset>& validation();

  TrainOptions options_;
  Network network_;
  TrainingData data_;
  std::vector<clrs::Dataset> validation_;  // by size; made when it is first needed
};

}  // namespace npq::train
