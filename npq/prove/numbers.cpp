#include "npq/prove/numbers.h"

#include <ATen/ops/empty.h>

#include "npq/ops/stream.h"

namespace npq::prove {

at::Tensor normal_numbers(const std::vector<std::int64_t>& shape, std::uint64_t seed,
                          at::ScalarType dtype) {
  ops::Stream stream(seed);
  const auto numbers = at::empty(shape, at::kDouble);
  double* values = numbers.data_ptr<double>();
  for (std::int64_t i = 0; i < numbers.numel(); ++i) values[i] = stream.normal();
  return numbers.to(dtype);
}

ops::ParameterStore ordinary_weights(const ops::ParameterSpecs& specs, std::uint64_t seed,
                                     at::ScalarType dtype) {
  auto weights = ops::initialise(specs, seed, dtype);
  for (const auto& [name, value] : weights) value.set_requires_grad(false);
  return weights;
}

}  // namespace npq::prove
