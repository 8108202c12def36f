#include "tests/support/torch_compare.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <random>

namespace npq::test {
namespace {

struct Run {
  at::Tensor result;
  std::vector<at::Tensor> gradients;
};

Run run(const Operation& operation, const std::vector<at::Tensor>& inputs, at::ScalarType type) {
  std::vector<at::Tensor> leaves;
  for (const auto& input : inputs) leaves.push_back(input.to(type).clone().requires_grad_(true));
  const auto result = operation(leaves);
  (result * normal(result.sizes(), 1, /*seed=*/1).to(type)).sum().backward();
  Run run{result.detach().to(at::kDouble), {}};
  for (const auto& leaf : leaves)
    run.gradients.push_back(leaf.grad().defined() ? leaf.grad().to(at::kDouble)
                                                  : at::zeros_like(leaf).to(at::kDouble));
  return run;
}

double distance(const at::Tensor& a, const at::Tensor& b) {
  const double length = b.norm().item<double>();
  return (a - b).norm().item<double>() / (length > 1e-10 ? length : 1);  // noise around 0 is 0
}

}  // namespace

double Distances::worst_gradient() const {
  return gradients.empty() ? 0 : *std::max_element(gradients.begin(), gradients.end());
}

Distances compare(const Operation& fused, const Operation& composed,
                  const std::vector<at::Tensor>& inputs,
                  const std::function<at::Tensor(std::size_t input)>& hidden) {
  const Run found = run(fused, inputs, at::kFloat);
  Run expected = run(composed, inputs, at::kDouble);
  Distances distances{distance(found.result, expected.result), {}};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (const auto more = hidden ? hidden(i) : at::Tensor(); more.defined())
      expected.gradients[i] = expected.gradients[i] + more;
    distances.gradients.push_back(distance(found.gradients[i], expected.gradients[i]));
  }
  return distances;
}

at::Tensor normal(at::IntArrayRef shape, double scale, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> draw(0, scale);
  auto tensor = at::empty(shape, at::kFloat);
  float* data = tensor.data_ptr<float>();
  for (std::int64_t i = 0; i < tensor.numel(); ++i) data[i] = static_cast<float>(draw(random));
  return tensor;
}

at::Tensor coin_flips(at::IntArrayRef shape, double p, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::bernoulli_distribution draw(p);
  auto tensor = at::empty(shape, at::kBool);
  bool* data = tensor.data_ptr<bool>();
  for (std::int64_t i = 0; i < tensor.numel(); ++i) data[i] = draw(random);
  return tensor;
}

}  // namespace npq::test
