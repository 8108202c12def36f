// Strips of slots: examples by hand and gradients by differences.
#include "npq/kernels/strip/strip.h"

#include <gmock/gmock.h>

#include "tests/kernels/suite.h"

namespace npq::kernels {
namespace {

using ::testing::ElementsAre;

TEST(Strip, ReadsBeforeItWrites) {
  // Three slots of two numbers; a read of half the first and the whole last, then 7, 8 go to
  // slot 2.
  const std::vector<float> v = {1, 2, 3, 4, 5, 6}, weight = {0.5f, 0, 1}, value = {7, 8};
  const std::vector<int> targets = {2};
  std::vector<float> read(2), next(6);
  strip_forward<float>({1, 3, 2, 1, 1, targets.data()}, {v.data(), weight.data(), value.data()},
                       {read.data(), next.data()}, 1);
  EXPECT_THAT(read, ElementsAre(5.5f, 7));
  EXPECT_THAT(next, ElementsAre(1, 2, 3, 4, 7, 8));
}

TEST(Strip, OfTwoWritesToOneSlotTheLastCountsAndAloneHasAGradient) {
  const std::vector<float> v = {1, 2}, weight = {1, 0}, values = {7, 8}, d_read = {10},
                           d_next = {3, 5};
  const std::vector<int> targets = {1, 1};
  const StripShape shape{1, 2, 1, 1, 2, targets.data()};
  std::vector<float> read(1), next(2), d_v(2), d_weight(2), d_values(2);
  strip_forward<float>(shape, {v.data(), weight.data(), values.data()}, {read.data(), next.data()},
                       1);
  EXPECT_THAT(next, ElementsAre(1, 8));
  strip_backward<float>(shape, {v.data(), weight.data(), nullptr}, d_read.data(), d_next.data(),
                        {d_v.data(), d_weight.data(), d_values.data()}, 1);
  EXPECT_THAT(d_v, ElementsAre(13, 0));  // read and kept; read with weight 0 and lost
  EXPECT_THAT(d_weight, ElementsAre(10, 20));
  EXPECT_THAT(d_values, ElementsAre(0, 5));
}

/// The step as a function of v, weight, values.
template <class Number>
test::Calls<Number> calls(const StripShape& s) {
  return {"plain",
          [s](const auto& in, auto& out, int threads) {
            strip_forward<Number>(s, {in[0].data(), in[1].data(), in[2].data()},
                                  {out[0].data(), out[1].data()}, threads);
          },
          [s](const auto& in, const auto&, const auto& dout, auto& to, int threads) {
            strip_backward<Number>(s, {in[0].data(), in[1].data(), nullptr}, dout[0].data(),
                                   dout[1].data(), {to[0].data(), to[1].data(), to[2].data()},
                                   threads);
          }};
}

test::KernelCase make_case(const StripShape& s) {
  const std::size_t R = s.rows, S = s.slots, F = s.width, K = s.reads, W = s.writes;
  return {.name = "strip",
          .inputs = {R * S * F, R * K * S, R * W * F},
          .outputs = {R * K * F, R * S * F},
          .input_names = {"v", "weight", "values"},
          .reference = calls<float>(s),
          .reference_in_double = calls<double>(s),
          .levels = {calls<float>(s)},
          .exact = false};
}

TEST(Strip, GradientsAreTheSlopesOfReadsAndSlotsAtAwkwardWidths) {
  const std::vector<int> apart = {3, 0}, together = {2, 2};
  for (const int width : {1, 7, 8, 17}) {
    for (const auto& targets : {apart, together}) {
      const auto test = make_case({3, 4, width, 2, 2, targets.data()});
      expect_slopes(test, 1);
      expect_levels_agree(test, 2);
      expect_threads_agree(test, 3);
    }
    expect_slopes(make_case({3, 4, width, 1, 1, apart.data()}), 4);
  }
}

}  // namespace
}  // namespace npq::kernels
