#include "npq/train/scoring/score_sheet.h"

#include <gmock/gmock.h>

#include "npq/train/scoring/bootstrap.h"
#include "tests/support/error_text.h"

namespace npq::train {
namespace {

using clrs::hint;
using clrs::output;
using test::error_text;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Key;
using namespace clrs::spec_words;

ScoredSample sample_of(const std::string& name, Decided values, int nodes) {
  return {.nodes = nodes, .outputs = {{name, std::move(values)}}, .hints = {}, .valid = {}};
}

TEST(ScoreSheet, PointersAreScoredByTheShareOfRightOnes) {
  const clrs::Spec spec = {output("pi", node, pointer)};
  const std::vector<ScoredSample> samples = {sample_of("pi", {{0, 0, 1}, {0, 0, 1}}, 3),
                                             sample_of("pi", {{2, 0, 0}, {0, 0, 1}}, 3)};
  const auto sheet = score_sheet(spec, samples);
  EXPECT_DOUBLE_EQ(sheet.score.value, 4.0 / 6);
  EXPECT_DOUBLE_EQ(sheet.outputs.at("pi").value, 4.0 / 6);
  EXPECT_DOUBLE_EQ(sheet.exact.value, 0.5);
  EXPECT_FALSE(sheet.valid);
}

TEST(ScoreSheet, MasksAreScoredByF1OverAllSamplesAndMaskedElementsDoNotCount) {
  // Together 1 true positive, 2 false positives, 1 false negative: precision 1/3, recall 1/2.
  const clrs::Spec spec = {output("m", node, mask)};
  const std::vector<ScoredSample> samples = {sample_of("m", {{1, 1, 1, 0}, {1, 0, -1, 0}}, 4),
                                             sample_of("m", {{1, 0, 0, 1}, {0, 1, 0, -1}}, 4)};
  const auto sheet = score_sheet(spec, samples);
  EXPECT_DOUBLE_EQ(sheet.score.value, 0.4);
  EXPECT_EQ(sheet.exact.value, 0);
}

TEST(SampleScores, AreTheMeanOfEachSamplesOwnOutputs) {
  const clrs::Spec spec = {output("pi", node, pointer), output("m", node, mask)};
  const auto sample = [](Decided pi, Decided m) {
    return ScoredSample{.nodes = 2,
                        .outputs = {{"pi", std::move(pi)}, {"m", std::move(m)}},
                        .hints = {},
                        .valid = {}};
  };
  // One pointer of two and F1 1; both pointers and F1 0.
  EXPECT_THAT(sample_scores(spec, std::vector{sample({{0, 0}, {0, 1}}, {{1, 0}, {1, 0}}),
                                              sample({{1, 0}, {1, 0}}, {{1, 0}, {0, 1}})}),
              ElementsAre(0.75, 0.5));
}

TEST(ScoreSheet, AMaskWithNothingToFindAndNothingSaidIsPerfect) {
  const clrs::Spec spec = {output("m", node, mask)};
  const std::vector<ScoredSample> samples = {sample_of("m", {{0, 0}, {0, 0}}, 2)};
  const auto sheet = score_sheet(spec, samples);
  EXPECT_EQ(sheet.score, (Figure{1, 1, 1}));
  EXPECT_EQ(sheet.exact.value, 1);
}

TEST(ScoreSheet, OneHotRowsAreScoredWholeAndRowsWithMinusOneDoNotCount) {
  const clrs::Spec one = {output("min", node, mask_one)};
  const std::vector<ScoredSample> marks = {sample_of("min", {{0, 1, 0}, {0, 1, 0}}, 3),
                                           sample_of("min", {{1, 0, 0}, {0, 0, 1}}, 3)};
  EXPECT_DOUBLE_EQ(score_sheet(one, marks).score.value, 0.5);

  const clrs::Spec classes = {output("c", node, categorical).of_classes(2)};
  const std::vector<ScoredSample> rows = {
      sample_of("c", {{1, 0, 0, 1, 1, 0}, {1, 0, 1, 0, 0, -1}}, 3)};
  EXPECT_DOUBLE_EQ(score_sheet(classes, rows).score.value, 0.5);
}

TEST(ScoreSheet, APermutationIsReadTogetherWithItsMaskAsAPointer) {
  // Node 1 is the first: it points to itself, whatever its row says.
  auto pred = output("pred", node, pointer);
  pred.type = clrs::Type::PermutationPointer;
  const clrs::Spec spec = {pred, output("pred_mask", node, mask_one)};
  ScoredSample sample{.nodes = 2, .outputs = {}, .hints = {}, .valid = {}};
  sample.outputs["pred"] = {{0, 1, 0, 1}, {0, 1, 1, 0}};
  sample.outputs["pred_mask"] = {{0, 1}, {0, 1}};
  const auto sheet = score_sheet(spec, std::vector{sample});
  EXPECT_EQ(sheet.score.value, 1);
  EXPECT_THAT(sheet.outputs, ElementsAre(Key("pred")));
}

TEST(ScoreSheet, ExactAsksForEveryOutputOfASample) {
  const clrs::Spec spec = {output("start", node, mask_one), output("end", node, mask_one)};
  ScoredSample sample{.nodes = 2, .outputs = {}, .hints = {}, .valid = {}};
  sample.outputs["start"] = {{1, 0}, {1, 0}};
  sample.outputs["end"] = {{1, 0}, {0, 1}};
  const auto sheet = score_sheet(spec, std::vector{sample});
  EXPECT_EQ(sheet.score.value, 0.5);
  EXPECT_EQ(sheet.exact.value, 0);
}

TEST(ScoreSheet, ValidNodesAreCountedOverAllSamples) {
  const clrs::Spec spec = {output("pi", node, pointer)};
  auto first = sample_of("pi", {{0, 0}, {0, 0}}, 2), second = first;
  first.valid = {1, 1};
  second.valid = {1, 0};
  const auto sheet = score_sheet(spec, std::vector{first, second});
  EXPECT_DOUBLE_EQ(sheet.valid->value, 0.75);
  EXPECT_DOUBLE_EQ(sheet.all_valid->value, 0.5);
}

TEST(ScoreSheet, HintsAreScoredOverTheStepsOfAllSamplesAndLeftOutWithoutAny) {
  const clrs::Spec spec = {output("pi", node, pointer), hint("pi_h", node, pointer),
                           hint("d", node, scalar)};
  auto longer = sample_of("pi", {{0, 0}, {0, 0}}, 2), shorter = longer;
  longer.hints = {{"pi_h", {{0, 1, 0, 0}, {0, 0, 0, 0}}}, {"d", {{1, 2, 3, 4}, {1, 2, 3, 6}}}};
  shorter.hints = {{"pi_h", {}}, {"d", {}}};  // a run of one step predicts no hint
  const auto both = score_sheet(spec, std::vector{longer, shorter});
  EXPECT_DOUBLE_EQ(both.hints.at("pi_h").value, 0.75);
  EXPECT_DOUBLE_EQ(both.hints.at("d").value, 1);  // 2^2 over 4 places
  EXPECT_TRUE(score_sheet(spec, std::vector{shorter}).hints.empty());
}

TEST(ScoreSheet, IntervalsEncloseTheValueAndComeOutTheSameAgain) {
  const clrs::Spec spec = {output("pi", node, pointer)};
  std::vector<ScoredSample> samples;  // half of the samples are right
  for (double k = 0; k < 40; ++k)
    samples.push_back(sample_of("pi", {{static_cast<double>(k < 20), 0}, {1, 0}}, 2));
  const auto sheet = score_sheet(spec, samples);
  EXPECT_DOUBLE_EQ(sheet.exact.value, 0.5);
  // A share of 1/2 in 40 draws has a deviation of 0.079; the interval spans about 1.96 of them.
  EXPECT_THAT(sheet.exact.low, DoubleNear(0.5 - 0.155, 0.03));
  EXPECT_THAT(sheet.exact.high, DoubleNear(0.5 + 0.155, 0.03));
  EXPECT_EQ(score_sheet(spec, samples).exact, sheet.exact);
}

TEST(ScoreSheet, AllSamplesAlikeLeaveNoInterval) {
  const clrs::Spec spec = {output("m", node, mask)};
  const std::vector<ScoredSample> samples(5, sample_of("m", {{1, 1}, {1, 0}}, 2));
  const auto score = score_sheet(spec, samples).score;
  EXPECT_EQ(score.low, score.value);
  EXPECT_EQ(score.high, score.value);
}

TEST(ScoreSheet, RefusesListsOfTheWrongLength) {
  const clrs::Spec spec = {output("pi", node, pointer)};
  EXPECT_THAT(error_text([&] {
                score_sheet(spec, std::vector{sample_of("pi", {{0, 0}, {0, 0, 0}}, 3)});
              }),
              HasSubstr("'pi' has 2 predicted and 3 true values; expected 3 each"));
  EXPECT_THAT(error_text([&] {
                score_sheet(spec, std::vector{sample_of("pi", {{0, 0, 0, 0}, {0, 0, 0, 0}}, 2)});
              }),
              HasSubstr("expected 2 each"));
  EXPECT_THAT(error_text([&] { score_sheet(spec, std::vector{sample_of("x", {}, 3)}); }),
              HasSubstr("no predictions of 'pi'"));
  EXPECT_THAT(error_text([&] { score_sheet(spec, {}); }), HasSubstr("no sample was scored"));
}

TEST(Bootstrap, ResamplesAreTheDrawsOfNumpy) {
  // numpy.random.RandomState(1).randint(0, 5, 5), twice.
  EXPECT_THAT(draw_resamples(5, 2, 1),
              ElementsAre(ElementsAre(3, 4, 0, 1, 3), ElementsAre(0, 0, 1, 4, 4)));
}

}  // namespace
}  // namespace npq::train
