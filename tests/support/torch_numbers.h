#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "npq/ops/parameter_store.h"

// Tensors as lists of numbers, so that expectations can be written down.
namespace npq::test {

inline at::Tensor make_tensor(const std::vector<std::int64_t>& shape,
                              const std::vector<double>& values) {
  return at::tensor(values, at::kDouble).reshape(shape);
}

/// All numbers, row-major.
inline std::vector<double> numbers(const at::Tensor& tensor) {
  const auto flat = tensor.detach().to(at::kDouble).contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}

/// Writes numbers into a parameter; one number fills it.
inline void set(const ops::ParameterStore& store, const std::string& name,
                const std::vector<double>& values) {
  const at::NoGradGuard no_grad;
  const auto& parameter = store.at(name);
  if (values.size() == 1) {
    parameter.fill_(values[0]);
  } else {
    parameter.copy_(make_tensor(parameter.sizes().vec(), values));
  }
}

/// The parameters of `specs`, all zero: a test then sets those it speaks of.
inline ops::ParameterStore zero_parameters(const ops::ParameterSpecs& specs) {
  auto store = ops::initialise(specs, 0, at::kDouble);
  for (const auto& [name, value] : store) set(store, name, {0});
  return store;
}

}  // namespace npq::test
