#include "npq/train/loop/adam.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

#include "npq/ops/adam_op.h"
#include "npq/ops/path.h"

namespace npq::train {

Adam::Adam(const ops::ParameterStore& store, AdamOptions options)
    : store_(store), options_(options) {
  options_.validate();
  for (const auto& [name, value] : store_) {
    state_.m.push_back(at::zeros_like(value));
    state_.v.push_back(at::zeros_like(value));
  }
}

double Adam::step(double limit) {
  const bool fused = store_.size() > 0 && ops::goes_fused(store_.begin()->value);
  return fused ? fused_step(limit) : composed_step(limit);
}

double Adam::fused_step(double limit) {
  std::vector<ops::AdamTensors> tensors;
  std::size_t k = 0;
  for (const auto& [name, value] : store_) {
    tensors.push_back({value, value.grad(), state_.m[k], state_.v[k]});
    ++k;
  }
  const double norm = ops::fused_adam(tensors, {.rate = options_.learning_rate,
                                                .b1 = options_.b1,
                                                .b2 = options_.b2,
                                                .eps = options_.eps,
                                                .updates = state_.updates + 1,
                                                .limit = limit});
  if (std::isfinite(norm)) ++state_.updates;
  return norm;
}

double Adam::composed_step(double limit) {
  const at::NoGradGuard no_grad;
  const double norm = clip_by_global_norm(store_, limit);
  if (!std::isfinite(norm)) return norm;
  const auto t = static_cast<double>(++state_.updates);
  const double m_scale = 1 / (1 - std::pow(options_.b1, t));
  const double v_scale = 1 / (1 - std::pow(options_.b2, t));
  std::size_t k = 0;
  for (const auto& [name, value] : store_) {
    auto &m = state_.m[k], &v = state_.v[k];
    ++k;
    m.mul_(options_.b1);
    v.mul_(options_.b2);
    if (const auto& g = value.grad(); g.defined()) {
      m.add_(g, 1 - options_.b1);
      v.addcmul_(g, g, 1 - options_.b2);
    }
    const auto root = (v * v_scale).sqrt_().add_(options_.eps);
    value.addcdiv_(m, root, -options_.learning_rate * m_scale);
  }
  return norm;
}

void Adam::set_state(const State& state) {
  const auto fits = [&](const std::vector<at::Tensor>& moments) {
    if (moments.size() != store_.size()) return false;
    std::size_t k = 0;
    for (const auto& [name, value] : store_) {
      if (moments[k++].sizes() != value.sizes()) return false;
    }
    return true;
  };
  if (!fits(state.m) || !fits(state.v)) {
    throw Error(
        "the optimiser's state belongs to a network of other shapes; resume with the options it "
        "was saved with");
  }
  state_.updates = state.updates;
  for (std::size_t k = 0; k < state_.m.size(); ++k) {
    state_.m[k].copy_(state.m[k]);
    state_.v[k].copy_(state.v[k]);
  }
}

double global_norm(const ops::ParameterStore& store) {
  double squares = 0;
  for (const auto& [name, value] : store) {
    if (!value.grad().defined()) continue;
    // Axis by axis: in one go the order, and so the bits, would depend on the number of threads.
    auto sum = value.grad().to(at::kDouble).square();
    while (sum.dim() > 0) sum = sum.sum(-1);
    squares += sum.item<double>();
  }
  return std::sqrt(squares);
}

double clip_by_global_norm(const ops::ParameterStore& store, double limit) {
  if (!(limit >= 0)) throw UsageError("the gradient's limit is {}; expected at least 0", limit);
  const double norm = global_norm(store);
  if (limit > 0 && norm >= limit && std::isfinite(norm)) {
    const at::NoGradGuard no_grad;
    for (const auto& [name, value] : store) {
      if (value.grad().defined()) value.mutable_grad().mul_(limit / norm);
    }
  }
  return norm;
}

}  // namespace npq::train
