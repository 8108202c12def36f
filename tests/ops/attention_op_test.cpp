#include "npq/ops/attention_op.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/matmul.h>
#include <gmock/gmock.h>

#include "tests/support/error_text.h"
#include "tests/support/torch_compare.h"

namespace npq::ops {
namespace {

using test::compare;
using test::normal;
using ::testing::HasSubstr;

constexpr std::int64_t B = 3, N = 6, H = 12, R = 2, K = 2;

/// own, other, values, rows, messages, combine.
std::vector<at::Tensor> some_inputs(std::int64_t width) {
  return {normal({B, N, K * width}, 1, 1), normal({B, N, K * width}, 1, 2),
          normal({B, N, N, R}, 1, 3),      normal({R, K * width}, 1, 4),
          normal({B, N, H}, 1, 5),         normal({K * width}, 0.5, 6)};
}

/// As nn/processors/attention.cpp composes it.
at::Tensor composed(const std::vector<at::Tensor>& in, std::int64_t width, bool combine,
                    const at::Tensor& mask) {
  auto logits =
      at::leaky_relu(in[0].unsqueeze(2) + in[1].unsqueeze(1) + at::matmul(in[2], in[3]), 0.01);
  if (combine) logits = logits * in[5];
  logits = logits.view({B, N, N, K, width}).sum(-1).permute({0, 3, 1, 2});  // [B, K, N, N]
  if (mask.defined())
    logits = logits + mask.logical_not().unsqueeze(1).to(logits.scalar_type()) * -1e9;
  const auto messages = in[4].view({B, N, K, H / K}).transpose(1, 2);
  return at::matmul(logits.softmax(-1), messages).transpose(1, 2).reshape({B, N, H});
}

at::Tensor fused(const std::vector<at::Tensor>& in, bool combine, const at::Tensor& mask) {
  AttentionArguments a{
      .heads = K, .own = in[0], .other = in[1], .values = in[2], .rows = in[3], .messages = in[4]};
  if (combine) a.combine = in[5];
  if (mask.defined()) a.neighbours = list_attended(mask);
  return fused_attention(a);
}

TEST(FusedAttention, EqualsItsCompositionInValueAndGradientInBothVersions) {
  const auto some =
      test::coin_flips({B, N, N}, 0.4, 5).logical_or(at::eye(N, at::TensorOptions(at::kBool)));
  for (const auto& mask : {at::Tensor(), some}) {
    for (const std::int64_t width : {std::int64_t{1}, H / K}) {
      for (const bool combine : {false, true}) {
        if (!combine && width > 1) continue;
        const auto distances = compare(
            [&](const auto& in) { return fused(in, combine, mask); },
            [&](const auto& in) { return composed(in, width, combine, mask); }, some_inputs(width));
        EXPECT_LT(distances.result, 2e-6);  // sums and a softmax of N = 6 terms against float64
        EXPECT_LT(distances.worst_gradient(), 1e-5);
      }
    }
  }
}

TEST(FusedAttention, SaysWhenHeadsDoNotDivide) {
  auto in = some_inputs(1);
  AttentionArguments a{
      .heads = 5, .own = in[0], .other = in[1], .values = in[2], .rows = in[3], .messages = in[4]};
  EXPECT_THAT(test::error_text([&] { fused_attention(a); }), HasSubstr("5 heads"));
}

}  // namespace
}  // namespace npq::ops
