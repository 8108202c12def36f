#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

// A fused operation in float32 beside its composition of libtorch's operations in float64.
namespace npq::test {

using Operation = std::function<at::Tensor(const std::vector<at::Tensor>& inputs)>;

/// The largest relative distances (Euclidean norms) of the result and of the gradients of a random
/// weighted sum of it, by input; a gradient that one side lacks counts as zeros.
struct Distances {
  double result = 0;
  std::vector<double> gradients;
  double worst_gradient() const;
};
/// Where the composition hides an input in a place of its own (a ParameterStore), `hidden` tells
/// the gradient it found there.
Distances compare(const Operation& fused, const Operation& composed,
                  const std::vector<at::Tensor>& inputs,
                  const std::function<at::Tensor(std::size_t input)>& hidden = {});

/// Normal numbers, the same for the same seed on every machine, float32.
at::Tensor normal(at::IntArrayRef shape, double scale, std::uint64_t seed);
/// 1 with probability p, bool.
at::Tensor coin_flips(at::IntArrayRef shape, double p, std::uint64_t seed);

}  // namespace npq::test
