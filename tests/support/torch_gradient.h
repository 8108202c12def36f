#pragma once
#include <functional>

#include "npq/ops/parameter_store.h"

namespace npq::test {

/// How far the gradient that backward() computes is from the difference quotient of `loss` along a
/// random direction of all parameters together, relative to the larger of both (at least 1). In
/// double and away from kinks: below 1e-6.
double gradient_error(const ops::ParameterStore& store, const std::function<at::Tensor()>& loss,
                      std::uint64_t seed);

}  // namespace npq::test
