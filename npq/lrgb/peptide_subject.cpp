#include "npq/lrgb/peptide_subject.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <nlohmann/json.hpp>

#include "npq/base/error.h"
#include "npq/kernels/constants.h"
#include "npq/ops/stream.h"
#include "npq/train/measuring/memory_health.h"

namespace npq::lrgb {
namespace {

using peptides::Part;

std::span<const std::int64_t> slice(const std::vector<std::int64_t>& rows, std::int64_t index,
                                    std::int64_t size) {
  const auto count = static_cast<std::int64_t>(rows.size());
  const auto first = index * size;
  return std::span(rows).subspan(static_cast<std::size_t>(first),
                                 static_cast<std::size_t>(std::min(size, count - first)));
}

std::int64_t batches(std::size_t rows, std::int64_t size) {
  return (static_cast<std::int64_t>(rows) + size - 1) / size;
}

std::string statistics_name(std::size_t layer, const char* what) {
  return "statistics/" + std::to_string(layer) + "/" + what;
}

double share(const at::Tensor& marks) { return marks.to(at::kDouble).mean().item<double>(); }

}  // namespace

PeptideSubject::PeptideSubject(const TrainOptions& options, peptides::Dataset dataset)
    : options_(options),
      dataset_(std::move(dataset)),
      store_(draw(Model::parameters(options.model), options.seed, at::kFloat)),
      model_(options.model, store_) {
  options.validate();
  for (const auto part : {Part::Train, Part::Val, Part::Test})
    if (dataset_.split[part].empty())
      throw Error("the data set '{}' has no molecule in its part '{}'; import it with other splits",
                  options.data, peptides::kPartNames[static_cast<int>(part)]);
  plateau_.rate = options.learning_rate;
  statistics_ = model_.initial_statistics(at::kFloat);
}

nlohmann::json PeptideSubject::options() const { return to_json(options_); }

std::vector<std::string> PeptideSubject::changeable() const {
  return train_option_table().changeable();
}

nlohmann::json PeptideSubject::facts() const {
  const auto source = dataset_.about.find("source");
  return {{"parameters", store_.elements()},
          {"data", source == dataset_.about.end() ? "unknown" : source->second}};
}

std::int64_t PeptideSubject::steps_per_unit() const {
  return batches(dataset_.split[Part::Train].size(), options_.batch);
}

train::NamedTensors PeptideSubject::statistics() const {
  train::NamedTensors tensors;
  for (std::size_t k = 0; k < statistics_.size(); ++k) {
    tensors.emplace_back(statistics_name(k, "mean"), statistics_[k].mean);
    tensors.emplace_back(statistics_name(k, "variance"), statistics_[k].variance);
  }
  return tensors;
}

PeptideSubject::Batch PeptideSubject::batch_of(std::span<const std::int64_t> rows) const {
  std::vector<const peptides::Graph*> graphs;
  std::vector<peptides::Targets> targets;
  for (const auto row : rows) {
    graphs.push_back(&dataset_.graphs[static_cast<std::size_t>(row)]);
    targets.push_back(dataset_.standardised(static_cast<std::size_t>(row)));
  }
  return {join_graphs(graphs, options_.model.base), target_tensor(targets, at::kFloat)};
}

std::vector<std::int64_t> PeptideSubject::order_of(std::int64_t epoch) const {
  // From the epoch's number alone, so that a resumed run needs no state of it.
  auto order = dataset_.split[Part::Train];
  ops::Stream stream(ops::derive_seed(options_.seed, "order", static_cast<std::uint64_t>(epoch)));
  for (std::size_t k = order.size(); k > 1; --k)
    std::swap(order[k - 1],
              order[static_cast<std::size_t>(stream.uniform() * static_cast<double>(k))]);
  return order;
}

std::span<const std::int64_t> PeptideSubject::rows_of_step(std::int64_t step) {
  const auto epoch = step / steps_per_unit();
  if (epoch != ordered_epoch_) order_ = order_of(ordered_epoch_ = epoch);
  return slice(order_, step % steps_per_unit(), options_.batch);
}

train::StepReport PeptideSubject::compute_gradients(std::int64_t step) {
  const auto batch = batch_of(rows_of_step(step));
  store_.zero_grad();
  auto prediction = model_.run(batch.graphs, statistics_, {.mode = Mode::Train});
  const auto loss = l1_loss(prediction.targets, batch.targets);
  loss.backward();
  upcoming_ = std::move(prediction.statistics);
  return {.step = step, .loss = loss.item<double>(), .gradient_norm = 0, .losses = {}};
}

void PeptideSubject::finish_update(const train::StepReport& report) {
  statistics_ = std::move(upcoming_);
  if (report.step % steps_per_unit() == 0) loss_sum_ = 0;
  loss_sum_ += report.loss * static_cast<double>(rows_of_step(report.step).size());
}

bool PeptideSubject::is_evaluated_after(std::int64_t step) const {
  return (step + 1) % steps_per_unit() == 0;
}

train::EvaluationReport PeptideSubject::evaluate(std::int64_t step) {
  const auto molecules = static_cast<double>(dataset_.split[Part::Train].size());
  return {.step = step,
          .validation = mean_error(Part::Val),
          .test = mean_error(Part::Test),
          .scores = {},
          .figures = {{"epoch_loss", loss_sum_ / molecules}, {"learning_rate", plateau_.rate}},
          .memory = memory_health()};
}

void PeptideSubject::finish_evaluation(const train::EvaluationReport& report) {
  // With the L1 loss the validation loss, which the schedule follows, is the validation error.
  plateau_.step(report.validation, options_.patience, options_.factor, options_.least_rate);
}

train::Metadata PeptideSubject::state() const {
  return {{"loss_sum", fmt::format("{}", loss_sum_)},
          {"plateau_rate", fmt::format("{}", plateau_.rate)},
          {"plateau_best", fmt::format("{}", plateau_.best)},
          {"plateau_bad", std::to_string(plateau_.bad)}};
}

void PeptideSubject::set_state(const train::StoredState& state) {
  const double loss_sum = state.real("loss_sum");
  const Plateau plateau{state.real("plateau_rate"), state.real("plateau_best"),
                        state.whole("plateau_bad")};
  Statistics statistics;
  for (std::size_t k = 0; k < statistics_.size(); ++k)
    statistics.push_back({state.tensor(statistics_name(k, "mean"), statistics_[k].mean),
                          state.tensor(statistics_name(k, "variance"), statistics_[k].variance)});
  loss_sum_ = loss_sum;
  plateau_ = plateau;
  statistics_ = std::move(statistics);
}

std::vector<double> PeptideSubject::errors(Part part, memory::Ablation ablation) const {
  const at::NoGradGuard no_grad;
  const auto& rows = dataset_.split[part];
  std::vector<double> all;
  for (std::int64_t b = 0; b < batches(rows.size(), options_.batch); ++b) {
    const auto batch = batch_of(slice(rows, b, options_.batch));
    const auto prediction =
        model_.run(batch.graphs, statistics_, {.mode = Mode::Evaluate, .ablation = ablation});
    const auto errors = (prediction.targets - batch.targets).abs().to(at::kDouble).contiguous();
    const auto* error = errors.data_ptr<double>();
    all.insert(all.end(), error, error + errors.numel());
  }
  return all;
}

double PeptideSubject::mean_error(Part part) const {
  const auto all = errors(part);
  double sum = 0;
  for (const double error : all) sum += error;
  return sum / static_cast<double>(all.size());
}

std::map<std::string, double> PeptideSubject::memory_health() const {
  if (!options_.model.has_memory()) return {};
  const at::NoGradGuard no_grad;
  const auto batch = batch_of(slice(dataset_.split[Part::Val], 0, options_.batch));
  const auto prediction = model_.run(batch.graphs, statistics_,
                                     {.mode = Mode::Evaluate, .watch = memory::Watch::Everything});
  std::vector<memory::MemoryHealth> steps;
  double dead = 0, sure = 0;
  int pushes = 0;
  for (const auto& layer : prediction.layers) {
    for (const auto& step : layer.memory) {
      steps.push_back(step.health);
      for (const auto& [name, seen] : step.seen) {
        if (name != "pushed_strength") continue;
        dead += share(seen.lt(kernels::kLeastStrength));
        sure += share(seen.gt(0.999));
        ++pushes;
      }
    }
  }
  auto health = train::mean_health(steps);
  if (pushes > 0) {
    health["dead"] = dead / pushes;
    health["sure"] = sure / pushes;
  }
  return health;
}

}  // namespace npq::lrgb
