#include "npq/ops/max_plus_op.h"

#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "tests/support/torch_compare.h"

namespace npq::ops {
namespace {

TEST(FusedMaxPlus, EqualsItsCompositionInValueAndGradient) {
  const auto distances = test::compare(
      [](const auto& in) { return fused_max_plus(in[0], in[1]); },
      [](const auto& in) { return (in[0].unsqueeze(3) + in[1].unsqueeze(2)).amax(1); },
      {test::normal({2, 7, 7, 3}, 1, 1), test::normal({2, 7, 7, 3}, 1, 2)});
  EXPECT_LT(distances.result, 1e-7);            // one float32 addition
  EXPECT_LT(distances.worst_gradient(), 1e-6);  // sums of at most N = 7 terms
}

}  // namespace
}  // namespace npq::ops
