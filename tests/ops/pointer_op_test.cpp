#include "npq/ops/pointer_op.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/maximum.h>
#include <gmock/gmock.h>

#include "tests/support/error_text.h"
#include "tests/support/torch_compare.h"

namespace npq::ops {
namespace {

using test::compare;
using test::normal;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::int64_t B = 3, N = 5, H = 20, R = 3;

/// from, to, values, rows, weights, bias, dense, more nodes.
std::vector<at::Tensor> some_inputs() {
  return {normal({B, N, H}, 1, 1),    normal({B, N, H}, 1, 2), normal({B, N, N, R}, 1, 3),
          normal({R, H}, 1, 4),       normal({H, 1}, 1, 5),    normal({1}, 1, 6),
          normal({B, N, N, H}, 1, 7), normal({B, N, H}, 1, 8)};
}

TEST(FusedPointers, EqualTheirCompositionInValueAndGradient) {
  for (const bool dense : {false, true}) {
    const auto distances = compare(
        [&](const auto& in) {
          PointerArguments a{in[0], in[1], in[2], in[3], in[4], in[5]};
          if (dense) a.dense = in[6];
          return fused_pointers(a);
        },
        [&](const auto& in) {  // as nn/decoders/decoder.cpp
          auto edges = at::matmul(in[2], in[3]);
          if (dense) edges = edges + in[6];
          const auto to = in[1].unsqueeze(1) + edges.transpose(1, 2);
          return (at::matmul(at::maximum(in[0].unsqueeze(2).expand_as(to), to), in[4]) + in[5])
              .squeeze(-1);
        },
        some_inputs());
    EXPECT_LT(distances.result, 2e-6);  // sums of H = 20 float32 terms against float64
    EXPECT_LT(distances.worst_gradient(), 2e-6);
  }
}

TEST(FusedEdgePointers, EqualTheirCompositionInValueAndGradient) {
  for (const bool dense : {false, true}) {
    const auto distances = compare(
        [&](const auto& in) {
          EdgePointerArguments a{in[0], in[1], in[2], in[3], in[7], in[4], in[5]};
          if (dense) a.dense = in[6];
          return fused_edge_pointers(a);
        },
        [&](const auto& in) {
          auto from = in[0].unsqueeze(2) + in[1].unsqueeze(1) + at::matmul(in[2], in[3]);
          if (dense) from = from + in[6];
          const auto to = in[7].unsqueeze(1).unsqueeze(1);  // [B, 1, 1, k, H]
          const auto all = from.unsqueeze(3).expand({B, N, N, N, H});
          return (at::matmul(at::maximum(all, to.expand_as(all)), in[4]) + in[5]).squeeze(-1);
        },
        some_inputs());
    EXPECT_LT(distances.result, 2e-6);
    EXPECT_LT(distances.worst_gradient(), 2e-6);
  }
}

TEST(FusedPointers, ReachTheirInputsThroughTransposedViews) {
  auto in = some_inputs();
  const auto straight = fused_pointers({in[0], in[1], in[2], in[3], in[4], in[5]});
  const auto turned = in[0].transpose(1, 2).contiguous().transpose(1, 2);
  EXPECT_TRUE(straight.equal(fused_pointers({turned, in[1], in[2], in[3], in[4], in[5]})));
}

TEST(FusedPointers, SayWhichShapeIsWrongAndWhatItShouldBe) {
  auto in = some_inputs();
  EXPECT_THAT(test::error_text([&] {
                fused_pointers({in[0], in[1], in[2], in[0], in[4], in[5]});
              }),
              AllOf(HasSubstr("'rows'"), HasSubstr("[3, 5, 20]"), HasSubstr("[3, 20]")));
  EXPECT_THAT(test::error_text([&] {
                fused_pointers({in[0], in[1], in[2], in[3], in[4], in[5], {}, {true}});
              }),
              AllOf(HasSubstr("value_gradients"), HasSubstr("expected 3")));
}

}  // namespace
}  // namespace npq::ops
