#include "npq/twins/twins.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/randn.h>

#include <algorithm>
#include <iterator>

namespace npq::twins {
namespace {

double distance(const at::Tensor& a, const at::Tensor& b) {
  return ((a - b).norm() / b.norm().clamp_min(1e-30)).item<double>();
}

std::vector<at::Tensor> gradients(const Operation& operation, const Work& work) {
  auto leaves = leaves_of(work, true);
  operation(leaves).square().sum().backward();
  std::vector<at::Tensor> found;
  for (const auto& x : leaves) found.push_back(x.grad());
  return found;
}

}  // namespace

const std::vector<Twin>& all() {
  static const std::vector<Twin> list = [] {
    std::vector<Twin> joined;
    for (auto&& some : {message_twins(), decoder_twins(), attention_twins(), queue_twins()})
      std::copy(some.begin(), some.end(), std::back_inserter(joined));
    return joined;
  }();
  return list;
}

at::Tensor numbers(at::IntArrayRef shape, double scale) { return at::randn(shape) * scale; }

Apart apart(const Work& work) {
  Apart found{.result = distance(work.fused(work.inputs), work.composed(work.inputs))};
  const auto left = gradients(work.fused, work), right = gradients(work.composed, work);
  for (std::size_t i = 0; i < left.size(); ++i)
    if (left[i].defined() && right[i].defined() && right[i].norm().item<double>() > 1e-10)
      found.gradient = std::max(found.gradient, distance(left[i], right[i]));
  return found;
}

std::vector<at::Tensor> leaves_of(const Work& work, bool backward) {
  std::vector<at::Tensor> leaves;
  for (const auto& x : work.inputs)
    leaves.push_back(x.detach().clone().requires_grad_(backward && x.is_floating_point()));
  return leaves;
}

void call(const Operation& operation, const std::vector<at::Tensor>& leaves, bool backward) {
  if (!backward) {
    const at::NoGradGuard no_grad;
    operation(leaves);
    return;
  }
  operation(leaves).sum().backward();
  for (const auto& x : leaves) x.mutable_grad() = at::Tensor();
}

}  // namespace npq::twins
