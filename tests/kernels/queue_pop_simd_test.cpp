// Popping at every level, against the plain loops, and their gradients, for every choice.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "npq/kernels/queue_pop/queue_pop.h"
#include "tests/kernels/emulated/emulated.h"
#include "tests/kernels/suite.h"

namespace npq::kernels {
namespace {

using test::Arrays;
using test::KernelCase;
using Q = QueueChoices;

enum { kAsked, kHeld, kV, kCombine, kStrength, kS };
struct Marks {
  std::vector<std::uint8_t> occupied, real;  // real: empty if all nodes are
};
using SharedMarks = std::shared_ptr<const Marks>;

template <class Number>
QueuePopInputs<Number> inputs(const QueuePopShape& s, const Arrays<Number>& in,
                              const SharedMarks& marks) {
  return {in[kAsked].data(),
          in[kHeld].data(),
          s.single_head_skip ? nullptr : in[kCombine].data(),
          s.pop == Q::Pop::Keep ? nullptr : in[kStrength].data(),
          s.pop == Q::Pop::Keep ? nullptr : in[kS].data(),
          in[kV].data(),
          marks->occupied.data(),
          marks->real.empty() ? nullptr : marks->real.data()};
}

template <class Number>
QueuePopGradients<Number> gradients(const QueuePopShape& s, Arrays<Number>& to) {
  return {to[kAsked].data(),
          to[kHeld].data(),
          s.single_head_skip ? nullptr : to[kCombine].data(),
          s.pop == Q::Pop::Keep ? nullptr : to[kStrength].data(),
          s.pop == Q::Pop::Keep ? nullptr : to[kS].data(),
          to[kV].data()};
}

template <class Number>
test::Calls<Number> reference(const QueuePopShape& s, const SharedMarks& marks) {
  return {"reference",
          [=](const auto& in, auto& out, int) {
            queue_pop_forward_reference(s, inputs(s, in, marks), out[0].data(), out[1].data());
          },
          [=](const auto& in, const auto&, const auto& dout, auto& to, int) {
            queue_pop_backward_reference(s, inputs(s, in, marks), dout[0].data(),
                                         s.pop == Q::Pop::Keep ? nullptr : dout[1].data(),
                                         gradients(s, to));
          }};
}

/// Two of three slots are occupied; graph 0 is empty if it is to be, and then every fourth node is
/// padding. Not just any: with one head alone a node whose logits all have one sign has a gradient
/// of 0, and were all others padding, rounding would be compared with rounding.
KernelCase make_case(const QueuePopShape& s, bool one_empty) {
  const std::size_t B = s.batch, N = s.nodes, S = s.slots, F = s.width, K = s.heads;
  const auto marks = std::make_shared<Marks>();
  for (std::size_t i = 0; i < B * S; ++i)
    marks->occupied.push_back(i % 3 != 1 && !(one_empty && i < S));
  for (std::size_t i = 0; i < B * N && one_empty; ++i) marks->real.push_back(i % 4 != 0);
  KernelCase test{
      .name =
          fmt::format("N{} S{} F{} K{} best {} one reader {} keep {} mask {} epsilon {} alone {} "
                      "straight {} empty {}",
                      N, S, F, K, s.read == Q::Read::Max, s.reader == Q::Reader::Graph,
                      s.pop == Q::Pop::Keep, s.mask_second_softmax, s.grant == Q::Grant::Epsilon,
                      s.single_head_skip, s.straight_through, one_empty),
      .inputs = {B * N * K, B * S * K, B * S * F, s.single_head_skip ? 0 : K,
                 s.pop == Q::Pop::Keep ? 0 : B * N, s.pop == Q::Pop::Keep ? 0 : B * S},
      .outputs = {B * N * F, s.pop == Q::Pop::Keep ? 0 : B * S},
      .input_names = {"asked", "held", "v", "combine", "strength", "s"},
      .reference = reference<float>(s, marks),
      .reference_in_double = reference<double>(s, marks),
      .exact = false,
      // Three softmaxes of at most 64 terms in another order, and sums that nearly cancel.
      .tolerance = 5e-5};
  test.prepare = [s, marks](Arrays<double>& in, std::mt19937&) {
    for (auto& x : in[kStrength]) x = 1 / (1 + std::exp(-x));
    for (std::size_t i = 0; i < in[kS].size(); ++i)  // some grant everything, some cannot
      in[kS][i] = marks->occupied[i] ? 0.05 + 0.3 * std::abs(in[kS][i]) : 0;
    for (std::size_t i = 0; i < in[kV].size(); ++i) in[kV][i] = std::tanh(in[kV][i]);
  };
  const auto add = [&](const char* name, const QueuePopLoops& loops) {
    test.levels.push_back(
        {name,
         [s, marks, &loops](const auto& in, auto& out, int threads) {
           queue_pop_forward_with(loops, s, inputs(s, in, marks), out[0].data(), out[1].data(),
                                  threads);
         },
         [s, marks, &loops](const auto& in, const auto&, const auto& dout, auto& to, int threads) {
           queue_pop_backward_with(loops, s, inputs(s, in, marks), dout[0].data(),
                                   s.pop == Q::Pop::Keep ? nullptr : dout[1].data(),
                                   gradients(s, to), threads);
         }});
  };
  test::for_each_level(kQueuePopAvx2, kQueuePopWide, kQueuePopAvx512, add);
  return test;
}

/// Every combination of choices that means something.
std::vector<QueuePopShape> all_choices(int batch, int nodes, int slots, int width) {
  std::vector<QueuePopShape> shapes;
  for (int bits = 0; bits < 128; ++bits) {
    QueuePopShape s{batch, nodes, slots, width, 3};
    if (bits & 1) s.read = Q::Read::Max;
    if (bits & 2) s.reader = Q::Reader::Graph;
    if (bits & 4) s.pop = Q::Pop::Keep;
    if (bits & 16) s.grant = Q::Grant::Epsilon;
    s.mask_second_softmax = !(bits & 8);
    s.single_head_skip = bits & 32, s.straight_through = bits & 64;
    if ((s.pop == Q::Pop::Keep && s.grant == Q::Grant::Epsilon) ||
        (s.straight_through && s.read != Q::Read::Max))
      continue;
    if (s.single_head_skip) s.heads = 1;
    shapes.push_back(s);
  }
  return shapes;
}

TEST(QueuePopLevels, AgreeWithTheReferenceInEveryChoice) {
  int seed = 1;
  for (const auto& shape : all_choices(2, 5, 9, 7)) {
    expect_levels_agree(make_case(shape, false), ++seed);
    // An empty queue with unmasked softmaxes is a tie of all slots: nothing to compare.
    if (shape.mask_second_softmax) expect_levels_agree(make_case(shape, true), ++seed);
  }
}

TEST(QueuePopLevels, AgreeWithTheReferenceAtAwkwardSizes) {
  for (const int size : test::kAwkwardSizes) {
    expect_levels_agree(make_case({2, 4, size, 8, 4}, false), size);
    expect_levels_agree(make_case({2, 4, 6, size, 4}, false), size);
    expect_levels_agree(make_case({1, size, 6, 8, 2}, false), size);
  }
}

TEST(QueuePopLevels, GiveTheSameBitsOnAnyNumberOfThreads) {
  expect_threads_agree(make_case({5, 6, 20, 12, 4}, true), 1);
}

TEST(QueuePopReference, GradientsAreTheSlopesOfTheResultWhereItHasAny) {
  int seed = 1;
  for (const auto& shape : all_choices(2, 3, 5, 3)) {
    // Straight through is no slope; empty unmasked slots have strength 0, the edge of the minimum.
    if (shape.straight_through || (shape.grant == Q::Grant::Epsilon && !shape.mask_second_softmax))
      continue;
    if (shape.pop != Q::Pop::Keep && !shape.mask_second_softmax) continue;
    expect_slopes(make_case(shape, /*one_empty=*/shape.mask_second_softmax),
                  ++seed);  // 1e9 eats differences
  }
}

TEST(QueuePopReference, ASlotGivesAtMostWhatItHoldsInProportion) {
  // One slot of strength 0.4; two nodes ask for 0.5 and 0.3: they get 0.25 and 0.15.
  const float asked[] = {0, 0}, held[] = {0}, combine[] = {1}, strength[] = {0.5f, 0.3f},
              s[] = {0.4f}, v[] = {1};
  const std::uint8_t occupied[] = {1};
  float value[2], total[1];
  queue_pop_forward_reference<float>(
      {1, 2, 1, 1, 1}, {asked, held, combine, strength, s, v, occupied}, value, total);
  EXPECT_FLOAT_EQ(value[0], 0.25f);
  EXPECT_FLOAT_EQ(value[1], 0.15f);
  EXPECT_FLOAT_EQ(total[0], 0.8f);
}

TEST(QueuePopReference, StraightThroughGivesTheAttentionTheWeightedGradient) {
  QueuePopShape shape{1, 2, 3, 2, 2};
  shape.read = Q::Read::Max;
  auto test = make_case(shape, false);
  std::mt19937 random(1);
  Arrays<float> in, dout, out;
  for (const auto size : test.inputs) in.push_back(test::Guarded<float>::normal(size, 1, random));
  for (const auto size : test.outputs) {
    dout.push_back(test::Guarded<float>::normal(size, 1, random));
    out.emplace_back(size);
  }
  const auto gradient_of_asked = [&](const KernelCase& kernel) {
    Arrays<float> to;
    for (const auto size : kernel.inputs) to.emplace_back(size);
    kernel.reference.backward(in, out, dout, to, 1);
    double sum = 0;
    for (const float x : to[kAsked]) sum += std::abs(x);
    return sum;
  };
  EXPECT_EQ(gradient_of_asked(test), 0);
  shape.straight_through = true;
  EXPECT_GT(gradient_of_asked(make_case(shape, false)), 0);
}

}  // namespace
}  // namespace npq::kernels
