#include "npq/train/loop/learner.h"

#include <cmath>

#include "npq/base/error.h"
#include "npq/ops/stream.h"
#include "npq/train/loop/gradients.h"

namespace npq::train {
namespace {

/// The parameter whose gradient is largest, what is not finite being larger than everything.
std::string largest_gradient(const ops::ParameterStore& store) {
  std::string worst = "none";
  double largest = -1;
  for (const auto& entry : store) {
    const double norm = store.grad(entry.name).norm().item<double>();
    if (std::isfinite(norm) && norm <= largest) continue;
    worst = entry.name;
    largest = norm;
    if (!std::isfinite(norm)) break;
  }
  return fmt::format("'{}' ({})", worst, largest);
}

}  // namespace

Learner::Learner(const TrainOptions& options)
    : options_(options),
      network_(options),
      data_(network_.task, options),
      adam_(network_.store, options.adam) {}

StepReport Learner::update() {
  const auto loss = compute_gradients(
      network_, data_.next(),
      ops::derive_seed(options_.seed, "step", static_cast<std::uint64_t>(next_step_)));
  StepReport report{
      .step = next_step_, .loss = loss.total, .gradient_norm = 0, .losses = loss.terms};
  report.gradient_norm =
      std::isfinite(report.loss) ? adam_.step(options_.clip) : global_norm(network_.store);
  if (!std::isfinite(report.loss) || !std::isfinite(report.gradient_norm))
    throw Error("the loss of step {} is {}, and the largest gradient is that of {}", next_step_,
                report.loss, largest_gradient(network_.store));
  ++next_step_;
  return report;
}

void Learner::set_state(const State& state) {
  adam_.set_state(state.adam);
  data_.seek(state.position);
  next_step_ = state.next_step;
}

}  // namespace npq::train
