#include "npq/nn/losses/losses.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/torch_numbers.h"

namespace npq::test {
namespace {

using namespace clrs::spec_words;
using clrs::hint, clrs::output;

double loss(clrs::Type type, const at::Tensor& prediction, const at::Tensor& truth) {
  const auto probe = output("x", node, type);
  return nn::output_sum(probe, prediction, truth).item<double>() /
         nn::output_weight(probe, truth).item<double>();
}

double hint_loss(const clrs::Probe& probe, const at::Tensor& predictions, const at::Tensor& truth,
                 const at::Tensor& weights) {
  return nn::hint_sum(probe, predictions, truth, weights).item<double>() /
         nn::hint_weight(probe, truth, weights).item<double>();
}

const double kLn2 = std::log(2), kLn4 = std::log(4);

TEST(OutputLoss, OfScalarsIsTheMeanSquaredError) {
  EXPECT_DOUBLE_EQ(loss(scalar, make_tensor({1, 2}, {1, 5}), make_tensor({1, 2}, {0, 2})), 5);
}

TEST(OutputLoss, OfMasksIsTheMeanOverWhatIsNotMasked) {
  // Logit ln 3 gives 1 the probability 3/4, so truths 1 and 0 cost ln 4/3 and ln 4; the third does
  // not count.
  const double x = std::log(3);
  EXPECT_DOUBLE_EQ(loss(mask, make_tensor({1, 3}, {x, x, 50}), make_tensor({1, 3}, {1, 0, -1})),
                   (std::log(4.0 / 3) + kLn4) / 2);
}

TEST(OutputLoss, OfHugeLogitsIsFinite) {
  EXPECT_DOUBLE_EQ(loss(mask, make_tensor({1, 2}, {1000, -1000}), make_tensor({1, 2}, {0, 0})),
                   500);
}

TEST(OutputLoss, OfRowsIsTheMeanOverTheTrueEntries) {
  const auto even = make_tensor({2, 2}, {0, 0, 0, 0});
  EXPECT_DOUBLE_EQ(loss(mask_one, even, make_tensor({2, 2}, {1, 0, 0, 1})), kLn2);
  // The masked row is left out of both sum and count.
  EXPECT_DOUBLE_EQ(loss(categorical, make_tensor({1, 2, 2}, {0, 0, 9, 0}),
                        make_tensor({1, 2, 2}, {1, 0, 0, -1})),
                   kLn2);
}

TEST(OutputLoss, OfPointersIsTheMeanOverAllPointers) {
  const double x = std::log(3);  // 1/4 and 3/4
  EXPECT_DOUBLE_EQ(loss(pointer, make_tensor({1, 2, 2}, {0, x, 0, x}), make_tensor({1, 2}, {0, 1})),
                   (kLn4 + std::log(4.0 / 3)) / 2);
}

TEST(OutputLoss, OfPermutationsReadsTheLogarithmAtTheTruth) {
  EXPECT_DOUBLE_EQ(loss(clrs::Type::PermutationPointer, make_tensor({1, 2, 2}, {-9, -1, -3, -9}),
                        make_tensor({1, 2, 2}, {0, 1, 1, 0})),
                   2);
}

TEST(HintLoss, CountsOnlyStepsWithinTheSample) {
  // Two steps of two samples; the second sample ends after the first step.
  const auto predictions = make_tensor({2, 2, 1}, {1, 2, 3, 100}),
             truth = make_tensor({2, 2, 1}, {0, 0, 0, 0});
  const auto weights = make_tensor({2, 2}, {1, 1, 1, 0});
  EXPECT_DOUBLE_EQ(hint_loss(hint("x", node, scalar), predictions, truth, weights),
                   (1 + 4 + 9) / 3.0);
}

TEST(HintLoss, OfMasksLeavesMaskedElementsOut) {
  const double x = std::log(3);  // costs ln 4/3 where the truth is 1, ln 4 where it is 0
  EXPECT_DOUBLE_EQ(hint_loss(hint("x", node, mask), make_tensor({1, 1, 3}, {x, x, 50}),
                             make_tensor({1, 1, 3}, {1, 0, -1}), make_tensor({1, 1}, {1})),
                   (std::log(4.0 / 3) + kLn4) / 2);
}

TEST(HintLoss, OfClassesLeavesMaskedRowsOut) {
  const auto predictions = make_tensor({1, 1, 2, 2}, {0, 0, 9, 0});
  const auto truth = make_tensor({1, 1, 2, 2}, {1, 0, 0, -1});
  EXPECT_DOUBLE_EQ(hint_loss(hint("x", node, categorical).of_classes(2), predictions, truth,
                             make_tensor({1, 1}, {1})),
                   kLn2);
}

TEST(HintLoss, OfOneNodeCountsOncePerStepNotOncePerNode) {
  const auto predictions = make_tensor({1, 1, 4}, {0, 0, 0, 0});
  const auto truth = make_tensor({1, 1, 4}, {0, 1, 0, 0});
  EXPECT_DOUBLE_EQ(
      hint_loss(hint("x", node, mask_one), predictions, truth, make_tensor({1, 1}, {1})), kLn4);
}

TEST(HintLoss, IsZeroWhereNothingCounts) {
  EXPECT_EQ(hint_loss(hint("x", node, mask), make_tensor({1, 1, 1}, {3}),
                      make_tensor({1, 1, 1}, {1}), make_tensor({1, 1}, {0})),
            0);
}

}  // namespace
}  // namespace npq::test
