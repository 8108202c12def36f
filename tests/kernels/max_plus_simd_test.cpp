// The (max, +) product at every level, against the plain loops, and their gradients.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "npq/kernels/max_plus/max_plus.h"
#include "tests/kernels/emulated/emulated.h"
#include "tests/kernels/suite.h"

namespace npq::kernels {
namespace {

using test::Arrays;
using test::Guarded;
using test::KernelCase;

/// The winners lie outside the lists of numbers; forward leaves them for backward.
using Winners = std::shared_ptr<Guarded<std::uint16_t>>;

template <class Number>
test::Calls<Number> reference(const MaxPlusShape& shape, const Winners& winners) {
  return {"reference",
          [=](const auto& in, auto& out, int) {
            max_plus_forward_reference(shape, in[0].data(), in[1].data(), out[0].data(),
                                       winners->data());
          },
          [=](const auto&, const auto&, const auto& dout, auto& to, int) {
            max_plus_backward_reference(shape, winners->data(), dout[0].data(), to[0].data(),
                                        to[1].data());
          }};
}

KernelCase make_case(const MaxPlusShape& s) {
  const std::size_t size = std::size_t(s.batch) * s.nodes * s.nodes * s.features;
  const auto winners = std::make_shared<Guarded<std::uint16_t>>(size);
  KernelCase test{.name = fmt::format("B{} N{} F{}", s.batch, s.nodes, s.features),
                  .inputs = {size, size},
                  .outputs = {size},
                  .input_names = {"left", "right"},
                  .reference = reference<float>(s, winners),
                  .reference_in_double = reference<double>(s, winners)};
  const auto add = [&](const char* name, const MaxPlusLoops& loops) {
    test.levels.push_back(
        {name,
         [s, winners, &loops](const auto& in, auto& out, int threads) {
           max_plus_forward_with(loops, s, in[0].data(), in[1].data(), out[0].data(),
                                 winners->data(), threads);
           EXPECT_TRUE(winners->intact());
         },
         [s, winners](const auto&, const auto&, const auto& dout, auto& to, int threads) {
           max_plus_backward(s, winners->data(), dout[0].data(), to[0].data(), to[1].data(),
                             threads);
         }});
  };
  test::for_each_level(kMaxPlusAvx2, kMaxPlusWide, kMaxPlusAvx512, add);
  return test;
}

TEST(MaxPlusLevels, ComputeExactlyWhatTheReferenceDoesTiesIncluded) {
  for (const int nodes : test::kAwkwardSizes) expect_levels_agree(make_case({2, nodes, 3}), nodes);
  for (const int features : {1, 8, 9}) expect_levels_agree(make_case({1, 6, features}), features);
}

TEST(MaxPlusLevels, GiveTheSameBitsOnAnyNumberOfThreads) {
  expect_threads_agree(make_case({1, 19, 8}), 1);
  expect_threads_agree(make_case({5, 7, 3}), 2);
}

TEST(MaxPlusReference, GradientsAreTheSlopesOfTheResult) { expect_slopes(make_case({2, 3, 2}), 1); }

TEST(MaxPlusReference, TakesTheBestWayBetweenTwoNodes) {
  // left[i,j] = 1 2 / 5 0, right[i,k] = 10 0 / 0 3: out[0,0] = max(1+10, 5+0), out[0,1] = max(1+0,
  // 5+3).
  const float left[] = {1, 2, 5, 0}, right[] = {10, 0, 0, 3};
  float out[4];
  std::uint16_t arg[4];
  max_plus_forward_reference<float>({1, 2, 1}, left, right, out, arg);
  EXPECT_THAT(out, ::testing::ElementsAre(11, 8, 12, 3));
  EXPECT_THAT(arg, ::testing::ElementsAre(0, 1, 0, 1));
}

}  // namespace
}  // namespace npq::kernels
