#include "npq/lrgb/learner.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <cmath>

#include "npq/base/error.h"
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

double share(const at::Tensor& marks) { return marks.to(at::kDouble).mean().item<double>(); }

}  // namespace

Learner::Learner(const TrainOptions& options, const peptides::Dataset& dataset)
    : options_(options),
      dataset_(&dataset),
      store_(draw(Model::parameters(options.model), options.seed, at::kFloat)),
      model_(options.model, store_),
      adam_(store_, {.learning_rate = options.learning_rate}) {
  options.validate();
  for (const auto part : {Part::Train, Part::Val, Part::Test})
    if (dataset.split[part].empty())
      throw Error("the data set '{}' has no molecule in its part '{}'; import it with other splits",
                  options.data, peptides::kPartNames[static_cast<int>(part)]);
  state_.plateau.rate = options.learning_rate;
  state_.statistics = model_.initial_statistics(at::kFloat);
}

std::int64_t Learner::steps_per_epoch() const {
  return batches(dataset_->split[Part::Train].size(), options_.batch);
}

Learner::Batch Learner::batch_of(std::span<const std::int64_t> rows) const {
  std::vector<const peptides::Graph*> graphs;
  std::vector<peptides::Targets> targets;
  for (const auto row : rows) {
    graphs.push_back(&dataset_->graphs[static_cast<std::size_t>(row)]);
    targets.push_back(dataset_->standardised(static_cast<std::size_t>(row)));
  }
  return {join_graphs(graphs, options_.model.base), target_tensor(targets, at::kFloat)};
}

std::vector<std::int64_t> Learner::order_of(std::int64_t epoch) const {
  // From the epoch's number alone, so that a resumed run needs no state of it.
  auto order = dataset_->split[Part::Train];
  ops::Stream stream(ops::derive_seed(options_.seed, "order", static_cast<std::uint64_t>(epoch)));
  for (std::size_t k = order.size(); k > 1; --k)
    std::swap(order[k - 1],
              order[static_cast<std::size_t>(stream.uniform() * static_cast<double>(k))]);
  return order;
}

train::StepReport Learner::update() {
  const auto step = state_.next_step, epoch = step / steps_per_epoch(),
             index = step % steps_per_epoch();
  if (epoch != ordered_epoch_) order_ = order_of(ordered_epoch_ = epoch);
  const auto rows = slice(order_, index, options_.batch);
  const auto batch = batch_of(rows);
  store_.zero_grad();
  auto prediction = model_.run(batch.graphs, state_.statistics, {.mode = Mode::Train});
  const auto loss = l1_loss(prediction.targets, batch.targets);
  loss.backward();
  train::StepReport report{.step = step, .loss = loss.item<double>()};
  adam_.set_learning_rate(state_.plateau.rate);
  report.gradient_norm = adam_.step();  // updates nothing where it is not finite
  if (!std::isfinite(report.loss) || !std::isfinite(report.gradient_norm))
    throw Error("the loss of step {} is {}, and its gradient has length {}", step, report.loss,
                report.gradient_norm);
  state_.statistics = std::move(prediction.statistics);
  state_.loss_sum =
      (index == 0 ? 0 : state_.loss_sum) + report.loss * static_cast<double>(rows.size());
  ++state_.next_step;
  return report;
}

std::vector<double> Learner::errors(Part part) const {
  const at::NoGradGuard no_grad;
  const auto& rows = dataset_->split[part];
  std::vector<double> all;
  for (std::int64_t b = 0; b < batches(rows.size(), options_.batch); ++b) {
    const auto batch = batch_of(slice(rows, b, options_.batch));
    const auto prediction = model_.run(batch.graphs, state_.statistics, {.mode = Mode::Evaluate});
    const auto errors = (prediction.targets - batch.targets).abs().to(at::kDouble).contiguous();
    const auto* error = errors.data_ptr<double>();
    all.insert(all.end(), error, error + errors.numel());
  }
  return all;
}

double Learner::mean_error(Part part) const {
  const auto all = errors(part);
  double sum = 0;
  for (const double error : all) sum += error;
  return sum / static_cast<double>(all.size());
}

std::map<std::string, double> Learner::memory_health() const {
  if (!options_.model.has_memory()) return {};
  const at::NoGradGuard no_grad;
  const auto batch = batch_of(slice(dataset_->split[Part::Val], 0, options_.batch));
  const auto prediction = model_.run(batch.graphs, state_.statistics,
                                     {.mode = Mode::Evaluate, .watch = memory::Watch::Everything});
  std::vector<memory::MemoryHealth> steps;
  double dead = 0, sure = 0;
  int pushes = 0;
  for (const auto& layer : prediction.layers) {
    for (const auto& step : layer.memory) {
      steps.push_back(step.health);
      for (const auto& [name, seen] : step.seen) {
        if (name != "pushed_strength") continue;
        dead += share(seen.lt(1e-6));
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
