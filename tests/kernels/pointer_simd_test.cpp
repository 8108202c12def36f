// The pointer decoder at every level, against the plain loops, and their gradients.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "npq/kernels/pointer/pointer.h"
#include "tests/kernels/emulated/emulated.h"
#include "tests/kernels/suite.h"

namespace npq::kernels {
namespace {

using test::Arrays;
using test::KernelCase;

using Of = PointerShape::Of;

enum { kNode, kRow, kColumn, kX, kC, kD, kBias, kDense };

/// The column is empty if nodes point; the last array may be missing.
template <class Array>
auto* numbers_or_null(Array& all, std::size_t k) {
  return k < all.size() && all[k].size() > 0 ? all[k].data() : nullptr;
}

template <class Number>
PointerInputs<Number> inputs(const Arrays<Number>& in) {
  return {in[kNode].data(), in[kRow].data(), numbers_or_null(in, kColumn),
          in[kX].data(),    in[kC].data(),   numbers_or_null(in, kDense),
          in[kD].data(),    in[kBias].data()};
}

template <class Number>
PointerGradients<Number> gradients(Arrays<Number>& to) {
  return {to[kNode].data(), to[kRow].data(),  numbers_or_null(to, kColumn),
          to[kX].data(),    to[kC].data(),    numbers_or_null(to, kDense),
          to[kD].data(),    to[kBias].data(), nullptr};
}

template <class Number>
test::Calls<Number> reference(const PointerShape& shape) {
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
  const bool edges = shape.of == Of::Edges;
  KernelCase test{
      .name = fmt::format("edges {} N{} H{} dense {}", edges, N, H, dense),
      .inputs = {B * N * H, B * N * H, edges ? B * N * H : 0, B * N * N * R, R * H, H, 1},
      .outputs = {B * N * N * (edges ? N : 1)},
      .input_names = {"node", "row", "column", "x", "c", "d", "bias", "dense"},
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
  test::for_each_level(kPointerAvx2, kPointerWide, kPointerAvx512, add);
  return test;
}

TEST(PointerLevels, ComputeWholeNumbersExactlyAsTheReference) {
  for (const auto of : {Of::Nodes, Of::Edges}) {
    for (const int hidden : test::kAwkwardSizes) {
      for (const bool dense : {false, true})
        expect_levels_agree(make_case({2, 3, hidden, 3, of}, dense), hidden);
    }
    for (const int nodes : {1, 4, 9, 17})
      expect_levels_agree(make_case({3, nodes, 9, 0, of}, false), nodes);
  }
}

TEST(PointerLevels, GiveTheSameBitsOnAnyNumberOfThreads) {
  expect_threads_agree(make_case({1, 19, 24, 3}, true), 1);
  expect_threads_agree(make_case({19, 4, 24, 3}, false), 2);
  expect_threads_agree(make_case({1, 9, 24, 3, Of::Edges}, true), 1);
  expect_threads_agree(make_case({19, 3, 24, 3, Of::Edges}, false), 2);
}

TEST(PointerReference, GradientsAreTheSlopesOfTheResult) {
  for (const auto of : {Of::Nodes, Of::Edges}) {
    expect_slopes(make_case({2, 3, 4, 2, of}, false), 1);
    expect_slopes(make_case({1, 3, 2, 1, of}, true), 2);
  }
}

TEST(PointerReference, ANodePointsByTheMaximumOfItselfAndThePair) {
  // H = 2, nodes 0 and 1; from = (1,5),(2,2); to = (3,1),(0,0); X[j,i] = 10 only for j=1, i=0; C =
  // (1,0); d = (1,2).
  const float from[] = {1, 5, 2, 2}, to[] = {3, 1, 0, 0}, x[] = {0, 0, 10, 0}, c[] = {1, 0},
              d[] = {1, 2}, bias[] = {100};
  float logits[4];
  pointer_forward_reference<float>({1, 2, 2, 1}, {from, to, nullptr, x, c, nullptr, d, bias},
                                   logits);
  // (0,0): max(1,3) + 2 max(5,1) = 13; (0,1): max(1,10) + 2*5 = 20; (1,0): 3 + 2*2 = 7; (1,1): 2 +
  // 2*2 = 6.
  EXPECT_THAT(logits, ::testing::ElementsAre(113, 120, 107, 106));
}

TEST(PointerReference, AnEdgePointsByTheMaximumOfItselfAndTheNode) {
  // One feature: tail = (1,4), head = (0,10), no channels, to = (3,12), d = 2: edge (0,1) is 11.
  const float tail[] = {1, 4}, head[] = {0, 10}, to[] = {3, 12}, d[] = {2}, bias[] = {100};
  float logits[8];
  pointer_forward_reference<float>({1, 2, 1, 0, Of::Edges},
                                   {to, tail, head, nullptr, nullptr, nullptr, d, bias}, logits);
  EXPECT_THAT(logits, ::testing::ElementsAre(106, 124, 122, 124, 108, 124, 128, 128));
}

TEST(PointerLevels, LetNaNThroughFromEitherSide) {
  for (const auto of : {Of::Nodes, Of::Edges}) {
    const auto test = make_case({1, 2, 3, 1, of}, false);
    for (const int where : {kNode, kRow}) {
      std::mt19937 random(1);
      Arrays<float> in;
      for (const auto size : test.inputs)
        in.push_back(test::Guarded<float>::normal(size, 1, random));
      in[where][0] = std::numeric_limits<float>::quiet_NaN();
      for (const auto& level : test.levels) {
        Arrays<float> out = {test::Guarded<float>(test.outputs[0])};
        level.forward(in, out, 1);
        EXPECT_TRUE(std::isnan(out[0][0])) << test.name << " " << level.name << " " << where;
      }
    }
  }
}

}  // namespace
}  // namespace npq::kernels
