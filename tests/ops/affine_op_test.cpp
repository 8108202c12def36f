#include "npq/ops/affine_op.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/matmul.h>
#include <gmock/gmock.h>

#include "tests/support/error_text.h"
#include "tests/support/torch_compare.h"

namespace npq::ops {
namespace {

using test::compare;
using test::normal;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(FusedAffine, EqualsItsCompositionInValueAndGradient) {
  // The rows of the third are more than one block of the bias's sum.
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{{7}, {3, 7}, {5, 40, 7}}) {
    const auto distances =
        compare([](const auto& in) { return fused_affine(in[0], in[1], in[2]); },
                [](const auto& in) { return at::matmul(in[0], in[1]) + in[2]; },
                {normal(shape, 1, 1), normal({7, 20}, 1, 2), normal({20}, 1, 3)});
    EXPECT_LT(distances.result, 2e-6);  // float32 against float64
    EXPECT_LT(distances.worst_gradient(), 2e-6);
  }
}

TEST(FusedAffine, TakesRowsThatLieApart) {
  const auto distances =
      compare([](const auto& in) { return fused_affine(in[0].transpose(0, 1), in[1].t(), in[2]); },
              [](const auto& in) { return at::matmul(in[0].transpose(0, 1), in[1].t()) + in[2]; },
              {normal({4, 6, 7}, 1, 1), normal({20, 7}, 1, 2), normal({20}, 1, 3)});
  EXPECT_LT(distances.result, 2e-6);
  EXPECT_LT(distances.worst_gradient(), 2e-6);
}

TEST(FusedAffine, OfNoColumnsIsTheBias) {
  const auto x = normal({3, 2, 0}, 1, 1), bias = normal({5}, 1, 3);
  const auto weight = normal({0, 5}, 1, 2);
  const auto out = fused_affine(x, weight, bias);
  EXPECT_TRUE(out.equal(bias.expand({3, 2, 5})));
}

TEST(FusedAffine, SaysWhichShapeItExpected) {
  const auto x = normal({3, 7}, 1, 1), weight = normal({6, 5}, 1, 2), bias = normal({5}, 1, 3);
  EXPECT_THAT(test::error_text([&] { fused_affine(x, weight, bias); }),
              AllOf(HasSubstr("7 columns"), HasSubstr("expected 6")));
  EXPECT_THAT(test::error_text([&] {
                fused_affine(x, normal({7, 4}, 1, 2), bias);
              }),
              AllOf(HasSubstr("bias"), HasSubstr("[4]")));
}

}  // namespace
}  // namespace npq::ops
