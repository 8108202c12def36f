// Attention at every level, against the plain loops, and their gradients.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "npq/kernels/attention/attention.h"
#include "npq/kernels/neighbour_lists.h"
#include "tests/kernels/emulated/emulated.h"
#include "tests/kernels/suite.h"
#include "tests/support/error_text.h"

namespace npq::kernels {
namespace {

using test::Arrays;
using test::KernelCase;

enum { kOwn, kOther, kX, kC, kValues, kA };

using Lists = std::shared_ptr<NeighbourLists>;

template <class Number>
AttentionInputs<Number> inputs(const Arrays<Number>& in, const Lists& lists) {
  return {in[kOwn].data(),
          in[kOther].data(),
          in[kX].data(),
          in[kC].data(),
          in.size() > kA ? in[kA].data() : nullptr,
          in[kValues].data(),
          lists ? lists->view() : Neighbours{}};
}

template <class Number>
AttentionGradients<Number> gradients(Arrays<Number>& to) {
  return {to[kOwn].data(),
          to[kOther].data(),
          to[kX].data(),
          to[kC].data(),
          to.size() > kA ? to[kA].data() : nullptr,
          to[kValues].data(),
          nullptr};
}

template <class Number>
test::Calls<Number> reference(const AttentionShape& shape, const Lists& lists) {
  return {"reference",
          [=](const auto& in, auto& out, int) {
            attention_forward_reference(shape, inputs(in, lists), out[0].data(), out[1].data());
          },
          [=](const auto& in, const auto& out, const auto& dout, auto& to, int) {
            attention_backward_reference(shape, inputs(in, lists), out[1].data(), dout[0].data(),
                                         gradients(to));
          }};
}

/// Each node with itself and a third of the others.
Lists some_lists(int batch, int nodes) {
  std::mt19937 random(1);
  std::vector<std::uint8_t> mask(std::size_t(batch) * nodes * nodes);
  for (std::size_t i = 0; i < mask.size(); ++i)
    mask[i] = random() % 3 == 0 || i / nodes % nodes == i % nodes;
  return std::make_shared<NeighbourLists>(list_rows(mask.data(), batch, nodes));
}

KernelCase make_case(const AttentionShape& s, bool listed) {
  const std::size_t B = s.batch, N = s.nodes, H = s.hidden, R = s.channels, KD = s.heads * s.width;
  const Lists lists = listed ? some_lists(s.batch, s.nodes) : nullptr;
  KernelCase test{.name = fmt::format("N{} H{} K{} D{} listed {}", N, H, s.heads, s.width, listed),
                  .inputs = {B * N * KD, B * N * KD, B * N * N * R, R * KD, B * N * H},
                  .outputs = {B * N * H, B * N * s.heads * 2},
                  .input_names = {"own", "other", "x", "c", "values", "a"},
                  .reference = reference<float>(s, lists),
                  .reference_in_double = reference<double>(s, lists),
                  .exact = false,
                  // Logits of a few hundred terms in another order, and their exponentials.
                  .tolerance = 1e-5,
                  .differentiable = {true, false}};
  if (s.width > 1) test.inputs.push_back(KD);
  test.prepare = [](Arrays<double>& in, std::mt19937&) {
    if (in.size() <= kA) return;
    const double scale = 1 / std::sqrt(double(in[kA].size()));  // as a trained layer would
    for (auto& a : in[kA]) a *= scale;
  };
  const auto add = [&](const char* name, const AttentionLoops& loops) {
    test.levels.push_back({name,
                           [s, lists, &loops](const auto& in, auto& out, int threads) {
                             attention_forward_with(loops, s, inputs(in, lists), out[0].data(),
                                                    out[1].data(), threads);
                           },
                           [s, lists, &loops](const auto& in, const auto& out, const auto& dout,
                                              auto& to, int threads) {
                             attention_backward_with(loops, s, inputs(in, lists), out[1].data(),
                                                     dout[0].data(), gradients(to), threads);
                           }});
  };
  test::for_each_level(kAttentionAvx2, kAttentionWide, kAttentionAvx512, add);
  return test;
}

TEST(AttentionLevels, AgreeWithTheReference) {
  for (const bool listed : {false, true}) {
    for (const int head : test::kAwkwardSizes) {
      for (const int heads : {1, 3}) {
        const int width = heads * head;
        expect_levels_agree(make_case({2, 5, width, 2, heads, 1}, listed), head);
        expect_levels_agree(make_case({2, 5, width, 2, heads, std::max(2, head)}, listed), head);
      }
    }
    for (const int nodes : {1, 7, 8, 9, 33})
      expect_levels_agree(make_case({1, nodes, 8, 0, 2, 4}, listed), nodes);
  }
}

TEST(AttentionLevels, GiveTheSameBitsOnAnyNumberOfThreads) {
  expect_threads_agree(make_case({1, 19, 24, 2, 2, 12}, true), 1);
  expect_threads_agree(make_case({19, 5, 24, 2, 2, 1}, false), 2);
}

TEST(AttentionReference, GradientsAreTheSlopesOfTheResult) {
  for (const bool listed : {false, true}) {
    expect_slopes(make_case({2, 3, 4, 2, 2, 1}, listed), 1);
    expect_slopes(make_case({2, 3, 4, 2, 2, 2}, listed), 2);
  }
}

TEST(AttentionReference, WeighsValuesByTheSoftmaxOfTheLogits) {
  // One head, one number: node 0's logits are 0 and log 3, so it takes a quarter and three
  // quarters.
  const float own[] = {0, 0}, other[] = {0, std::log(3.0f)}, values[] = {4, 8};
  float agg[2], norms[4];
  attention_forward_reference<float>(
      {1, 2, 1, 0, 1, 1}, {own, other, nullptr, nullptr, nullptr, values, {}}, agg, norms);
  EXPECT_NEAR(agg[0], 7, 1e-6);
}

TEST(Attention, NobodyToAttendToIsAnErrorThatNamesTheNode) {
  const std::uint8_t mask[] = {1, 0, 0, 0};
  const auto lists = list_rows(mask, 1, 2);
  const float numbers[] = {0, 0};
  float agg[2], norms[4];
  EXPECT_THAT(test::error_text([&] {
                attention_forward(
                    {1, 2, 1, 0, 1, 1},
                    {numbers, numbers, nullptr, nullptr, nullptr, numbers, lists.view()}, agg,
                    norms, 1);
              }),
              ::testing::HasSubstr("node 1 of graph 0"));
}

}  // namespace
}  // namespace npq::kernels
