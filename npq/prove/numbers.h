#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "npq/ops/parameter_store.h"

namespace npq::prove {

/// Standard normal numbers, the same for the same seed on every machine.
at::Tensor normal_numbers(const std::vector<std::int64_t>& shape, std::uint64_t seed,
                          at::ScalarType dtype = at::kDouble);

/// Ordinary weights, as training begins with, that collect no gradients.
ops::ParameterStore ordinary_weights(const ops::ParameterSpecs& specs, std::uint64_t seed,
                                     at::ScalarType dtype = at::kDouble);

/// The same tensors under the same names, those that `change` returns a tensor for replaced.
template <class Change>
ops::ParameterStore changed(const ops::ParameterStore& weights, Change change) {
  ops::ParameterStore result;
  for (const auto& [name, value] : weights) {
    const at::Tensor other = change(name, value);
    result.add(name, other.defined() ? other : value.detach());
    result.at(name).set_requires_grad(false);
  }
  return result;
}

}  // namespace npq::prove
