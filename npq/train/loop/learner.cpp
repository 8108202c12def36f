#include "npq/train/loop/learner.h"

#include <ATen/core/grad_mode.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "npq/base/error.h"

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

void copy_weights(const NamedTensors& from, const NamedTensors& to) {
  const at::NoGradGuard no_grad;
  for (std::size_t k = 0; k < to.size(); ++k) to[k].second.detach().copy_(from[k].second);
}

}  // namespace

Learner::Learner(Subject& subject)
    : subject_(&subject),
      adam_(subject.store(), subject.adam()),
      average_(weights_of(subject), subject.average()) {}

StepReport Learner::update() {
  auto report = subject_->compute_gradients(next_step_);
  const auto& store = subject_->store();
  adam_.set_learning_rate(subject_->adam().learning_rate);
  report.gradient_norm =
      std::isfinite(report.loss) ? adam_.step(subject_->clip()) : global_norm(store);
  if (!std::isfinite(report.loss) || !std::isfinite(report.gradient_norm))
    throw Error("the loss of step {} is {}, and the largest gradient is that of {}", next_step_,
                report.loss, largest_gradient(store));
  subject_->finish_update(report);
  average_.add(weights_of(*subject_), next_step_);
  ++next_step_;
  return report;
}

std::optional<EvaluationReport> Learner::evaluate_mean() {
  if (!average_.is_kept()) return {};
  const auto weights = weights_of(*subject_);
  NamedTensors own;
  for (const auto& [name, tensor] : weights) own.emplace_back(name, tensor.detach().clone());
  copy_weights(average_.mean(), weights);
  auto report = subject_->evaluate(next_step_ - 1);
  copy_weights(own, weights);
  return report;
}

void Learner::set_state(const State& state) {
  adam_.set_state(state.adam);
  average_.set_mean(state.mean);
  next_step_ = state.next_step;
}

}  // namespace npq::train
