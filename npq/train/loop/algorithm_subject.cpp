#include "npq/train/loop/algorithm_subject.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "npq/base/error.h"
#include "npq/ops/stream.h"
#include "npq/train/loop/gradients.h"
#include "npq/train/loop/shared_sums.h"
#include "npq/train/measuring/memory_health.h"
#include "npq/train/scoring/scoring.h"

namespace npq::train {
namespace {

/// The first samples, as many as make a batch.
model::TensorBatch first_batch(const Network& network, const clrs::Dataset& data,
                               std::int64_t size) {
  std::vector<const clrs::Sample*> chosen;
  for (const auto& sample : data.samples) {
    if (static_cast<std::int64_t>(chosen.size()) == size) break;
    chosen.push_back(&sample);
  }
  return network.task.batch(chosen);
}

}  // namespace

AlgorithmSubject::AlgorithmSubject(const TrainOptions& options, std::shared_ptr<Ranks> ranks)
    : Subject(std::move(ranks)),
      options_(options),
      network_(options),
      data_(network_.task, options) {
  check_shareable(this->ranks(), options.batch);
}

nlohmann::json AlgorithmSubject::options() const { return to_json(options_); }

std::vector<std::string> AlgorithmSubject::changeable() const {
  return train_option_table().changeable();
}

const std::vector<clrs::Dataset>& AlgorithmSubject::validation() {
  if (!validation_.empty()) return validation_;
  const auto& task = network_.task;
  const auto official = clrs::official_split(task.algorithm(), clrs::Split::Val).length;
  const auto& asked = options_.validate_sizes;
  for (const int size : asked.empty() ? std::vector{official} : asked)
    validation_.push_back(clrs::generate(task.algorithm(), task.validation_set(size)));
  return validation_;
}

StepReport AlgorithmSubject::compute_gradients(std::int64_t step) {
  const auto loss = train::compute_gradients(
      network_, data_.next(),
      ops::derive_seed(options_.seed, "step", static_cast<std::uint64_t>(step)), ranks());
  return {.step = step, .loss = loss.total, .gradient_norm = 0, .losses = loss.terms};
}

bool AlgorithmSubject::is_evaluated_after(std::int64_t step) const {
  // After the last update too, or a run shorter than the interval would be judged by its first.
  return step % options_.evaluate_every == 0 || step + 1 == options_.steps;
}

EvaluationReport AlgorithmSubject::evaluate(std::int64_t step) {
  const auto& sets = validation();
  const auto count = static_cast<double>(sets.size());
  EvaluationReport report{.step = step, .validation = 0, .scores = {}, .figures = {}, .memory = {}};
  for (const auto& data : sets) {
    const auto scores = scores_of(network_.task.spec(),
                                  score_samples(network_, data.samples, {.batch = options_.batch},
                                                /*progress=*/{}, ranks()));
    report.validation += scores.score / count;
    for (const auto& [name, score] : scores.outputs) report.scores[name] += score / count;
    if (!options_.validate_sizes.empty())
      report.figures[fmt::format("val_{}", data.options.length)] = scores.score;
  }
  if (options_.memory.name != "none")
    report.memory = memory_health(network_, first_batch(network_, sets.front(), options_.batch));
  return report;
}

Metadata AlgorithmSubject::state() const {
  return {{"position", std::to_string(data_.position())}};
}

void AlgorithmSubject::set_state(const StoredState& state) {
  data_.seek(state.count("position", options_.steps, kind().length()));
}

}  // namespace npq::train
