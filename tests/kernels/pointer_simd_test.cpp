// The pointer decoder at every level, against the plain loops, and their gradients.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "npq/kernels/pointer/pointer_driver.h"
#include "tests/kernels/emulated/emulated.h"
#include "tests/kernels/suite.h"

namespace npq::kernels {
namespace {

using testing::Arrays;
using testing::KernelCase;

enum { kFrom, kTo, kX, kC, kD, kBias, kDense };

template <class Number>
PointerInputs<Number> inputs(const Arrays<Number>& in) {
  return {in[kFrom].data(),
          in[kTo].data(),
          in[kX].data(),
          in[kC].data(),
          in.size() > kDense ? in[kDense].data() : nullptr,
          in[kD].data(),
          in[kBias].data()};
}

template <class Number>
PointerGradients<Number> gradients(Arrays<Number>& to) {
  return {to[kFrom].data(),
          to[kTo].data(),
          to[kX].data(),
          to[kC].data(),
          to.size() > kDense ? to[kDense].data() : nullptr,
          to[kD].data(),
          to[kBias].data(),
          nullptr};
}

template <class Number>
testing::Calls<Number> reference(const PointerShape& shape) {
  return {"reference",
          [=](const auto& in, auto& out, int) {
            pointer_forward_reference(shape, inputs(in), out[0].data());
          },
          [=](const auto& in, const auto&, const auto& dout, auto& to, int) {
            pointer_backward_reference(shape, inputs(in), dout[0].data(), gradients(to));
          }};
}

KernelCase make_case(const PointerShape& shape, bool dense) {
  const std::size_t B = shape.batch, N = shape.nodes, H = shape.hidden, R = shape.channels;
  KernelCase test{.name = fmt::format("N{} H{} dense {}", N, H, dense),
                  .inputs = {B * N * H, B * N * H, B * N * N * R, R * H, H, 1},
                  .outputs = {B * N * N},
                  .input_names = {"from", "to", "x", "c", "d", "bias", "dense"},
                  .reference = reference<float>(shape),
                  .reference_in_double = reference<double>(shape)};
  if (dense) test.inputs.push_back(B * N * N * H);
  const auto add = [&](const char* name, const PointerLoops& loops) {
    test.levels.push_back(
        {name,
         [shape, &loops](const auto& in, auto& out, int threads) {
           pointer_forward_with(loops, shape, inputs(in), out[0].data(), threads);
         },
         [shape, &loops](const auto& in, const auto&, const auto& dout, auto& to, int threads) {
           pointer_backward_with(loops, shape, inputs(in), dout[0].data(), gradients(to), threads);
         }});
  };
  if (testing::machine_has(SimdLevel::Avx2)) {
    add("avx2", pointer_loops_avx2());
    add("wide", pointer_loops_wide());
  }
  if (testing::machine_has(SimdLevel::Avx512)) add("avx512", pointer_loops_avx512());
  return test;
}

TEST(PointerLevels, ComputeWholeNumbersExactlyAsTheReference) {
  for (const int hidden : testing::kAwkwardSizes) {
    for (const bool dense : {false, true})
      expect_levels_agree(make_case({2, 3, hidden, 3}, dense), hidden);
  }
  for (const int nodes : {1, 17}) expect_levels_agree(make_case({3, nodes, 9, 0}, false), nodes);
}

TEST(PointerLevels, GiveTheSameBitsOnAnyNumberOfThreads) {
  expect_threads_agree(make_case({1, 19, 24, 3}, true), 1);
  expect_threads_agree(make_case({19, 4, 24, 3}, false), 2);
}

TEST(PointerReference, GradientsAreTheSlopesOfTheResult) {
  expect_slopes(make_case({2, 3, 4, 2}, false), 1);
  expect_slopes(make_case({1, 3, 2, 1}, true), 2);
}

TEST(PointerReference, PointsByTheMaximumOfBothSides) {
  // H = 2, nodes 0 and 1; from = (1,5),(2,2); to = (3,1),(0,0); X[j,i] = 10 only for j=1, i=0; C =
  // (1,0); d = (1,2).
  const float from[] = {1, 5, 2, 2}, to[] = {3, 1, 0, 0}, x[] = {0, 0, 10, 0}, c[] = {1, 0},
              d[] = {1, 2}, bias[] = {100};
  float logits[4];
  pointer_forward_reference<float>({1, 2, 2, 1}, {from, to, x, c, nullptr, d, bias}, logits);
  // (0,0): max(1,3) + 2 max(5,1) = 13; (0,1): max(1,10) + 2*5 = 20; (1,0): 3 + 2*2 = 7; (1,1): 2 +
  // 2*2 = 6.
  EXPECT_THAT(logits, ::testing::ElementsAre(113, 120, 107, 106));
}

TEST(PointerLevels, LetNaNThroughFromEitherSide) {
  const auto test = make_case({1, 2, 3, 1}, false);
  for (const int where : {kFrom, kTo}) {
    std::mt19937 random(1);
    Arrays<float> in;
    for (const auto size : test.inputs)
      in.push_back(testing::Guarded<float>::normal(size, 1, random));
    in[where][0] = std::numeric_limits<float>::quiet_NaN();
    for (const auto& level : test.levels) {
      Arrays<float> out = {testing::Guarded<float>(4)};
      level.forward(in, out, 1);
      EXPECT_TRUE(std::isnan(out[0][0])) << level.name << " " << where;
    }
  }
}

}  // namespace
}  // namespace npq::kernels
