#include <gmock/gmock.h>

#include "npq/train/scoring/scoring.h"
#include "tests/support/error_text.h"
#include "tests/support/torch_numbers.h"

namespace npq::train {
namespace {

using namespace clrs::spec_words;
using clrs::output;
using npq::test::error_text;
using npq::test::make_tensor;
using ::testing::HasSubstr;

double score(const clrs::Probe& probe, const at::Tensor& hard, const at::Tensor& truth) {
  const clrs::Spec spec{probe};
  const auto nodes = static_cast<int>(truth.size(1));
  return scores_of(spec, scored_outputs(spec, {{probe.name, hard}}, {{probe.name, truth}}, nodes))
      .score;
}

TEST(Scores, OfPointersIsTheShareOfRightOnes) {
  EXPECT_DOUBLE_EQ(score(output("pi", node, pointer), make_tensor({1, 4}, {0, 1, 2, 3}),
                         make_tensor({1, 4}, {0, 1, 2, 0})),
                   0.75);
}

TEST(Scores, OfMasksIsF1OverWhatIsNotMasked) {
  // Said 1 1 0 0 | 1, true 1 0 1 0 | masked: one right, one too many, one missed.
  EXPECT_DOUBLE_EQ(score(output("m", node, mask), make_tensor({1, 5}, {1, 1, 0, 0, 1}),
                         make_tensor({1, 5}, {1, 0, 1, 0, -1})),
                   0.5);
}

TEST(Scores, OfMasksIsOneWhereNothingIsToBeFoundAndNothingWasSaid) {
  EXPECT_DOUBLE_EQ(
      score(output("m", node, mask), make_tensor({1, 2}, {0, 0}), make_tensor({1, 2}, {0, 0})), 1);
  EXPECT_DOUBLE_EQ(
      score(output("m", node, mask), make_tensor({1, 2}, {1, 0}), make_tensor({1, 2}, {0, 0})), 0);
}

TEST(Scores, OfClassesLeavesOutRowsWithAMaskedEntry) {
  EXPECT_DOUBLE_EQ(score(output("c", node, categorical).of_classes(2),
                         make_tensor({1, 3, 2}, {1, 0, 0, 1, 1, 0}),
                         make_tensor({1, 3, 2}, {1, 0, 1, 0, 0, -1})),
                   0.5);
}

TEST(Scores, OfAPermutationReadTheFirstNodeAsPointingToItself) {
  // The cycle 0 -> 2 -> 1 -> 0 with first node 1: pointers 2, 1, 1. Predicted with first node 2: 2,
  // 0, 2.
  clrs::Spec spec{output("pred", node, clrs::Type::PermutationPointer),
                  output("pred_mask", node, mask_one)};
  const auto cycle = make_tensor({1, 3, 3}, {0, 0, 1, 1, 0, 0, 0, 1, 0});
  const auto scores = scores_of(
      spec, scored_outputs(spec, {{"pred", cycle}, {"pred_mask", make_tensor({1, 3}, {0, 0, 1})}},
                           {{"pred", cycle}, {"pred_mask", make_tensor({1, 3}, {0, 1, 0})}}, 3));
  EXPECT_EQ(scores.outputs.size(), 1);
  EXPECT_DOUBLE_EQ(scores.score, 1.0 / 3);
}

TEST(Scores, OfSeveralBatchesIsThatOfAllSamplesTogetherAndOutputsWeighAlike) {
  clrs::Spec spec{output("m", node, mask), output("pi", node, pointer)};
  const auto one = make_tensor({1, 2}, {1, 1}), zero = make_tensor({1, 2}, {0, 0});
  // 2 found, 2 right; 2 too many, 2 wrong.
  auto samples = scored_outputs(spec, {{"m", one}, {"pi", zero}}, {{"m", one}, {"pi", zero}}, 2);
  const auto more = scored_outputs(spec, {{"m", one}, {"pi", zero}}, {{"m", zero}, {"pi", one}}, 2);
  samples.insert(samples.end(), more.begin(), more.end());
  const auto scores = scores_of(spec, samples);
  EXPECT_DOUBLE_EQ(scores.outputs.at("m"), 2.0 / 3);  // not the mean of 1 and 0
  EXPECT_DOUBLE_EQ(scores.outputs.at("pi"), 0.5);
  EXPECT_DOUBLE_EQ(scores.score, (2.0 / 3 + 0.5) / 2);
}

TEST(Scores, WithoutSamplesAreAnError) {
  EXPECT_THAT(error_text([] { scores_of({output("m", node, mask)}, {}); }),
              HasSubstr("no sample was scored"));
}

}  // namespace
}  // namespace npq::train
