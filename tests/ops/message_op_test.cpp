#include "npq/ops/message_op.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/relu.h>
#include <gmock/gmock.h>

#include "npq/base/simd.h"
#include "npq/kernels/calls.h"
#include "npq/ops/fused.h"
#include "npq/ops/kept.h"
#include "tests/support/error_text.h"
#include "tests/support/torch_compare.h"

namespace npq::ops {
namespace {

using kernels::Delivery;
using kernels::Senders;
using test::compare;
using test::normal;
using ::testing::AllOf;
using ::testing::HasSubstr;

struct Sizes {
  std::int64_t B, N, H, R;
};

std::vector<at::Tensor> some_inputs(const Sizes& s, int seed) {
  const double scale = 1.4 / std::sqrt(static_cast<double>(s.H));
  return {normal({s.B, s.N, s.H}, 0.7, seed),        normal({s.B, s.N, s.H}, 0.7, seed + 1),
          normal({s.B, s.N, s.N, s.R}, 1, seed + 2), normal({s.R, s.H}, scale, seed + 3),
          normal({s.H, s.H}, scale, seed + 4),       normal({s.H}, 0.5, seed + 5),
          normal({s.H, s.H}, scale, seed + 6),       normal({s.H}, 0.5, seed + 7),
          normal({s.B, s.N, s.H}, 0.7, seed + 8)};
}

/// As nn/processors/pgn.cpp composes it; `mask` undefined: everybody hears everybody.
at::Tensor composed(const std::vector<at::Tensor>& in, const at::Tensor& mask, Delivery memory) {
  const auto network = [&](const at::Tensor& x) {
    return at::matmul(at::relu(at::matmul(at::relu(x), in[4]) + in[5]), in[6]) + in[7];
  };
  auto messages = network(in[0].unsqueeze(1) + in[1].unsqueeze(2) + at::matmul(in[2], in[3]));
  if (mask.defined()) messages = messages.masked_fill(mask.logical_not().unsqueeze(-1), -1e6);
  if (memory == Delivery::Self) messages = at::cat({messages, network(in[8]).unsqueeze(1)}, 1);
  if (memory == Delivery::All)
    messages = at::cat({messages, network(in[8]).unsqueeze(2).expand_as(messages)}, 1);
  return messages.amax(1);
}

at::Tensor fused(const std::vector<at::Tensor>& in, Senders senders, const at::Tensor& mask,
                 Delivery memory) {
  MessageArguments a{in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7]};
  a.senders = senders;
  if (senders == Senders::Listed) a.neighbours = list_senders(mask);
  a.delivery = memory;
  if (memory != Delivery::Nobody) a.memory = in[8];
  return fused_messages(a);
}

TEST(FusedMessages, EqualTheirCompositionInValueAndGradient) {
  const Sizes s{3, 6, 20, 3};
  const auto listed = test::coin_flips({s.B, s.N, s.N}, 0.4, 5).logical_or(at::eye(s.N, at::kBool));
  const auto self = at::eye(s.N, at::kBool).expand({s.B, s.N, s.N});
  int seed = 10;
  for (const auto senders : {Senders::All, Senders::Self, Senders::Listed}) {
    const auto mask = senders == Senders::All    ? at::Tensor()
                      : senders == Senders::Self ? at::Tensor(self)
                                                 : listed;
    for (const auto memory : {Delivery::Nobody, Delivery::Self, Delivery::All}) {
      const auto distances = compare(
          [&](const auto& in) { return fused(in, senders, mask, memory); },
          [&](const auto& in) { return composed(in, mask, memory); }, some_inputs(s, seed += 20));
      // Sums of 20 float32 terms against float64; tiles round factors to 2^-16.
      EXPECT_LT(distances.result, 2e-5);
      EXPECT_LT(distances.worst_gradient(), 1e-4);
    }
  }
}

TEST(FusedMessages, GiveGradientsOnlyOfTheChannelsNamed) {
  const Sizes s{1, 3, 4, 2};
  auto in = some_inputs(s, 3);
  in[2].requires_grad_(true);
  MessageArguments a{in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7]};
  a.value_gradients = {false, true};
  fused_messages(a).sum().backward();
  EXPECT_EQ(in[2].grad().select(3, 0).abs().sum().item<float>(), 0);
  EXPECT_GT(in[2].grad().select(3, 1).abs().sum().item<float>(), 0);
}

TEST(FusedMessages, RunTheKernelForwardAndBackward) {
  const auto forward = kernels::calls(kernels::Kernel::Message);
  const auto backward = kernels::calls(kernels::Kernel::MessageBackward);
  auto in = some_inputs({1, 3, 4, 2}, 3);
  in[4].requires_grad_(true);
  fused(in, Senders::All, {}, Delivery::Nobody).sum().backward();
  EXPECT_EQ(kernels::calls(kernels::Kernel::Message), forward + 1);
  EXPECT_EQ(kernels::calls(kernels::Kernel::MessageBackward), backward + 1);
}

TEST(FusedMessages, KeepTheMiddleLayerOfSmallGraphsUntilTheGradientsAreThere) {
  if (active_simd_level() == SimdLevel::Reference) return;  // plain loops compute it again
  auto in = some_inputs({2, 3, 4, 2}, 3);
  in[4].requires_grad_(true);
  auto agg = fused(in, Senders::All, {}, Delivery::Self);
  // B graphs; y of N (N + 1) messages of H features each, in the kernel's blocks.
  const auto graph = static_cast<std::int64_t>(
      kernels::kept_floats({.batch = 2, .nodes = 3, .hidden = 4, .channels = 2}, Delivery::Self));
  EXPECT_GE(graph, 3 * (3 + 1) * 4);
  EXPECT_EQ(kept_bytes(), 2 * graph * 4);
  agg.sum().backward();
  agg = at::Tensor();
  EXPECT_EQ(kept_bytes(), 0);

  const at::NoGradGuard evaluation;
  agg = fused(in, Senders::All, {}, Delivery::Self);
  EXPECT_EQ(kept_bytes(), 0);
}

TEST(Kept, StaysWithinItsBoundAndUsesItsMemoryAgain) {
  constexpr std::int64_t most = kMostKeptBytes / 4;  // numbers
  EXPECT_FALSE(keep(most / 16 + 1).defined());
  std::vector<at::Tensor> held;
  for (int i = 0; i < 16; ++i) held.push_back(keep(most / 16));
  EXPECT_TRUE(held.back().defined());
  EXPECT_EQ(kept_bytes(), kMostKeptBytes);
  EXPECT_FALSE(keep(1).defined());
  const void* memory = held.back().data_ptr();
  held.pop_back();
  EXPECT_EQ(keep(most / 16).data_ptr(), memory);
  EXPECT_TRUE(keep(1).defined());  // another size: what is free makes room
  held.clear();
  EXPECT_EQ(kept_bytes(), 0);
}

TEST(FusedMessages, SayWhichShapeIsWrongAndWhatItShouldBe) {
  auto in = some_inputs({1, 3, 4, 2}, 3);
  in[1] = normal({1, 2, 4}, 1, 1);
  EXPECT_THAT(test::error_text([&] { fused(in, Senders::All, {}, Delivery::Nobody); }),
              AllOf(HasSubstr("'send'"), HasSubstr("[1, 2, 4]"), HasSubstr("[1, 3, 4]")));
}

TEST(FusedMessages, AreForFloat32Only) {
  auto in = some_inputs({1, 3, 4, 2}, 3);
  EXPECT_TRUE(fused_available(in[0]));
  EXPECT_FALSE(fused_available(in[0].to(at::kDouble)));
  in[0] = in[0].to(at::kDouble);
  EXPECT_THAT(test::error_text([&] { fused(in, Senders::All, {}, Delivery::Nobody); }),
              AllOf(HasSubstr("'recv'"), HasSubstr("float32")));
}

TEST(FusedMessages, RefuseSecondDerivativesInsteadOfReturningZeros) {
  auto in = some_inputs({1, 3, 4, 2}, 3);
  in[0].requires_grad_(true);
  const auto sum = fused(in, Senders::All, {}, Delivery::Nobody).sum();
  EXPECT_THAT(
      test::error_text([&] { sum.backward({}, /*retain_graph=*/true, /*create_graph=*/true); }),
      HasSubstr("no second derivatives"));
}

}  // namespace
}  // namespace npq::ops
