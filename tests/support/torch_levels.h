#pragma once
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "npq/base/simd.h"
#include "npq/kernels/calls.h"
#include "tests/support/torch_golden.h"

namespace npq::test {

/// What float32 through the fused kernels may differ by. The reference's own float32 run differs
/// from its float64 run by up to 1e-5, 2e-6 and 2e-5; products of bfloat16 tiles are about 13 times
/// less exact, and a number near a kink may take the other branch.
inline GoldenTolerances fused_tolerances(SimdLevel level) {
  if (level == SimdLevel::Amx) return {.predictions = 1e-3, .losses = 1e-4, .gradients = 1e-2};
  return {.predictions = 5e-5, .losses = 1e-5, .gradients = 1e-4};
}

/// Calls body(tolerances) at every level that the machine has, and expects that each of `kernels`
/// was called in the course of it: a comparison that went another way would prove nothing.
template <class Body>
void at_every_level(std::initializer_list<kernels::Kernel> kernels, const Body& body) {
  for (const auto level : available_simd_levels()) {
    SCOPED_TRACE(std::string(simd_level_name(level)));
    const ScopedSimdLevel scoped(level);
    std::vector<std::int64_t> before;
    for (const auto kernel : kernels) before.push_back(kernels::calls(kernel));
    body(fused_tolerances(level));
    auto count = before.begin();
    for (const auto kernel : kernels)
      EXPECT_GT(kernels::calls(kernel), *count++) << "kernel " << static_cast<int>(kernel);
  }
}

}  // namespace npq::test
