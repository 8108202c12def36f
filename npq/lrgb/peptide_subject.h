#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "npq/lrgb/model.h"
#include "npq/lrgb/plateau.h"
#include "npq/lrgb/train_options.h"
#include "npq/peptides/dataset.h"
#include "npq/train/loop/subject.h"

namespace npq::lrgb {

/// The shape of peptides: judged by the mean error on the validation molecules after every epoch,
/// which also decides the learning rate. The optimiser is AdamW; without weight decay, as
/// published, that is Adam.
class PeptideSubject final : public train::Subject {
 public:
  /// A part of the data set without molecules is an Error.
  PeptideSubject(const TrainOptions& options, peptides::Dataset dataset);

  /// |prediction - target|, standardised: the 11 targets of the first molecule of a part, then of
  /// the next. Without a part of the memory if asked.
  std::vector<double> errors(peptides::Part part,
                             memory::Ablation ablation = memory::Ablation::None) const;
  /// mean |prediction - target| over the molecules of a part and the 11 targets, standardised.
  double mean_error(peptides::Part part) const;
  /// How the memory is doing on the first validation batch, see train/measuring/memory_health.h;
  /// beside that `dead` and `sure`, the shares of pushes of a strength below 1e-6 and beyond 0.999.
  /// Empty without a memory.
  std::map<std::string, double> memory_health() const;
  const peptides::Dataset& dataset() const { return dataset_; }
  const Plateau& plateau() const { return plateau_; }
  double loss_sum() const { return loss_sum_; }

  const RunKind& kind() const override { return kPeptidesRun; }
  nlohmann::json options() const override;
  std::vector<std::string> changeable() const override;
  nlohmann::json facts() const override;
  std::int64_t steps() const override { return options_.epochs * steps_per_unit(); }
  std::int64_t steps_per_unit() const override;

  const ops::ParameterStore& store() const override { return store_; }
  /// As statistics/K/mean and statistics/K/variance.
  train::NamedTensors statistics() const override;
  train::AdamOptions adam() const override { return {.learning_rate = plateau_.rate}; }
  double average() const override { return options_.average; }
  void set_learning_rate(double rate) override { plateau_.rate = rate; }

  train::StepReport compute_gradients(std::int64_t step) override;
  void finish_update(const train::StepReport& report) override;
  bool is_evaluated_after(std::int64_t step) const override;
  train::EvaluationReport evaluate(std::int64_t step) override;
  void finish_evaluation(const train::EvaluationReport& report) override;

  train::Metadata state() const override;
  void set_state(const train::StoredState& state) override;

 private:
  struct Batch {
    Graphs graphs;
    at::Tensor targets;
  };
  Batch batch_of(std::span<const std::int64_t> rows) const;
  std::vector<std::int64_t> order_of(std::int64_t epoch) const;
  std::span<const std::int64_t> rows_of_step(std::int64_t step);

  TrainOptions options_;
  peptides::Dataset dataset_;
  ops::ParameterStore store_;
  Model model_;
  Plateau plateau_;
  double loss_sum_ = 0;               // of this epoch's molecules so far
  Statistics statistics_, upcoming_;  // of batch norm; upcoming: behind the update that is made
  std::int64_t ordered_epoch_ = -1;
  std::vector<std::int64_t> order_;  // of that epoch
};

}  // namespace npq::lrgb
