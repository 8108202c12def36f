// The decoder of edge pointers at every level, against the plain loops, and their gradients.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "npq/kernels/edge_pointer/edge_pointer_driver.h"
#include "tests/kernels/emulated/emulated.h"
#include "tests/kernels/suite.h"

namespace npq::kernels {
namespace {

using testing::Arrays;
using testing::KernelCase;

enum { kTail, kHead, kX, kC, kTo, kD, kBias, kDense };

template <class Number>
EdgePointerInputs<Number> inputs(const Arrays<Number>& in) {
  return {in[kTail].data(),
          in[kHead].data(),
          in[kX].data(),
          in[kC].data(),
          in.size() > kDense ? in[kDense].data() : nullptr,
          in[kTo].data(),
          in[kD].data(),
          in[kBias].data()};
}

template <class Number>
EdgePointerGradients<Number> gradients(Arrays<Number>& to) {
  return {to[kTail].data(),
          to[kHead].data(),
          to[kX].data(),
          to[kC].data(),
          to.size() > kDense ? to[kDense].data() : nullptr,
          to[kTo].data(),
          to[kD].data(),
          to[kBias].data(),
          nullptr};
}

template <class Number>
testing::Calls<Number> reference(const EdgePointerShape& shape) {
  return {"reference",
          [=](const auto& in, auto& out, int) {
            edge_pointer_forward_reference(shape, inputs(in), out[0].data());
          },
          [=](const auto& in, const auto&, const auto& dout, auto& to, int) {
            edge_pointer_backward_reference(shape, inputs(in), dout[0].data(), gradients(to));
          }};
}

KernelCase make_case(const EdgePointerShape& shape, bool dense) {
  const std::size_t B = shape.batch, N = shape.nodes, H = shape.hidden, R = shape.channels;
  KernelCase test{.name = fmt::format("N{} H{} dense {}", N, H, dense),
                  .inputs = {B * N * H, B * N * H, B * N * N * R, R * H, B * N * H, H, 1},
                  .outputs = {B * N * N * N},
                  .input_names = {"tail", "head", "x", "c", "to", "d", "bias", "dense"},
                  .reference = reference<float>(shape),
                  .reference_in_double = reference<double>(shape)};
  if (dense) test.inputs.push_back(B * N * N * H);
  const auto add = [&](const char* name, const EdgePointerLoops& loops) {
    test.levels.push_back(
        {name,
         [shape, &loops](const auto& in, auto& out, int threads) {
           edge_pointer_forward_with(loops, shape, inputs(in), out[0].data(), threads);
         },
         [shape, &loops](const auto& in, const auto&, const auto& dout, auto& to, int threads) {
           edge_pointer_backward_with(loops, shape, inputs(in), dout[0].data(), gradients(to),
                                      threads);
         }});
  };
  if (testing::machine_has(SimdLevel::Avx2)) {
    add("avx2", edge_pointer_loops_avx2());
    add("wide", edge_pointer_loops_wide());
  }
  if (testing::machine_has(SimdLevel::Avx512)) add("avx512", edge_pointer_loops_avx512());
  return test;
}

TEST(EdgePointerLevels, ComputeWholeNumbersExactlyAsTheReference) {
  for (const int hidden : testing::kAwkwardSizes) {
    for (const bool dense : {false, true})
      expect_levels_agree(make_case({2, 3, hidden, 3}, dense), hidden);
  }
  for (const int nodes : {1, 4, 9}) expect_levels_agree(make_case({3, nodes, 9, 0}, false), nodes);
}

TEST(EdgePointerLevels, GiveTheSameBitsOnAnyNumberOfThreads) {
  expect_threads_agree(make_case({1, 9, 24, 3}, true), 1);
  expect_threads_agree(make_case({19, 3, 24, 3}, false), 2);
}

TEST(EdgePointerReference, GradientsAreTheSlopesOfTheResult) {
  expect_slopes(make_case({2, 3, 4, 2}, false), 1);
  expect_slopes(make_case({1, 3, 2, 1}, true), 2);
}

TEST(EdgePointerReference, PointsByTheMaximumOfEdgeAndNode) {
  // One feature: tail = (1,4), head = (0,10), no channels, to = (3,12), d = 2: edge (0,1) is 11.
  const float tail[] = {1, 4}, head[] = {0, 10}, to[] = {3, 12}, d[] = {2}, bias[] = {100};
  float logits[8];
  edge_pointer_forward_reference<float>(
      {1, 2, 1, 0}, {tail, head, nullptr, nullptr, nullptr, to, d, bias}, logits);
  EXPECT_THAT(logits, ::testing::ElementsAre(106, 124, 122, 124, 108, 124, 128, 128));
}

}  // namespace
}  // namespace npq::kernels
