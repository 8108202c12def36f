// The sentences with which a report opens: made from the numbers, and no more sure than they are.
#include "npq/report/tables/conclusion.h"

#include <gmock/gmock.h>

#include "tests/report/made_up_models.h"

namespace npq::report {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using Models = std::vector<MadeUpModel>;

std::vector<std::string> concluded(const Models& models) {
  const auto runs = runs_of(models);
  return conclusion(groups_of(runs));
}

TEST(Conclusion, OfTwoModelsSaysWhatTheirNumbersMeanAndThatOneSeedDecidesNothing) {
  EXPECT_THAT(
      concluded({{.memory = "none", .scores = {0.751}, .steps = 101},
                 {.memory = "npq_w", .scores = {0.842}, .steps = 101, .drained = 0.999}}),
      ElementsAre(
          "MPNN and MPNN + NPQ_W learned dijkstra for 101 steps with one seed each; on test graphs "
          "of 64 nodes MPNN + NPQ_W gets 84.20% of the answer right and MPNN 75.10%, a difference "
          "of +9.10 points.",
          "One seed is one draw and decides nothing; 101 steps, where the paper trains 30000, say "
          "nothing about its numbers; the queue of MPNN + NPQ_W is drained in every step (it "
          "loses all of its strength), so it holds little for longer than a step."));
}

TEST(Conclusion, OfAClearDifferenceHasItsInterval) {
  // Differences 0.10, 0.11, 0.10: mean 0.1033, reach 4.303 * 0.004714 / sqrt(2).
  const auto sentences = concluded({{.memory = "none", .scores = {0.50, 0.60, 0.70}},
                                    {.memory = "npq_w", .scores = {0.60, 0.71, 0.80}}});
  ASSERT_THAT(sentences, SizeIs(2));
  EXPECT_THAT(sentences[0],
              AllOf(HasSubstr("with 3 seeds each"),
                    HasSubstr("a difference of +10.33 points, beyond chance (95% interval over "
                              "seeds +8.90 to +11.77)")));
  EXPECT_THAT(sentences[1], Not(HasSubstr("draw")));
}

TEST(Conclusion, OfNoDifferenceSaysThatItIsWithinChance) {
  EXPECT_THAT(concluded({{.memory = "none", .scores = {0.5, 0.6, 0.7}},
                         {.memory = "npq_w", .scores = {0.9, 0.55, 0.75}}})[0],
              AllOf(HasSubstr("a difference of +13.33 points, within chance (95% interval over "
                              "seeds -"),
                    Not(HasSubstr("beyond"))));
}

TEST(Conclusion, OfManyModelsSortsThemByWhatCanBeSaid) {
  const auto sentences = concluded({{.memory = "gru", .scores = {0.9}},
                                    {.memory = "none", .scores = {0.50, 0.60, 0.70}},
                                    {.memory = "npq_m", .scores = {0.9, 0.55, 0.75}},
                                    {.memory = "npq_w", .scores = {0.60, 0.71, 0.80}},
                                    {.memory = "npq_w_sa", .scores = {0.40, 0.49, 0.60}}});
  EXPECT_THAT(
      sentences,
      ElementsAre("5 models learned dijkstra for 2000 steps with 1 to 3 seeds.",
                  "On test graphs of 64 nodes MPNN + NPQ_W (+10.33 points, 95% interval over seeds "
                  "+8.90 to +11.77) is better than the same network without a memory, MPNN + "
                  "NPQ_W-SA (-10.33 points, 95% interval over seeds -11.77 to -8.90) is worse, and "
                  "MPNN + NPQ_M (+13.33 points, 95% interval over seeds -45.37 to +72.04) differs "
                  "by no more than chance.",
                  "1 of 5 models has one seed, which is one draw and decides nothing; 2000 steps, "
                  "where the paper trains 30000, say nothing about its numbers."));
}

TEST(Conclusion, OfManyModelsWithOneSeedNamesTheHighestAndCallsItADraw) {
  const auto sentences = concluded({{.memory = "none", .scores = {0.5}},
                                    {.memory = "npq_m", .scores = {0.6}},
                                    {.memory = "npq_w", .scores = {0.7}}});
  ASSERT_THAT(sentences, SizeIs(3));
  EXPECT_EQ(sentences[1],
            "On test graphs of 64 nodes the highest score with a memory is 70.00%, that of MPNN + "
            "NPQ_W, and MPNN without one has 50.00%.");
  EXPECT_THAT(sentences[2], HasSubstr("One seed is one draw and decides nothing"));
}

TEST(Conclusion, OfManyAlgorithmsCounts) {
  Models models;
  for (const auto* algorithm : {"bfs", "dfs", "dijkstra", "minimum"}) {
    models.push_back({.memory = "none", .scores = {0.5, 0.6}, .algorithm = algorithm});
    models.push_back({.memory = "npq_w", .scores = {0.6, 0.7}, .algorithm = algorithm});
  }
  models.back().scores = {0.9, 0.1};
  EXPECT_THAT(concluded(models)[1],
              HasSubstr("Of 4 comparisons with the same network without a memory, 3 are better and "
                        "0 worse beyond chance, 1 are within it and 0 rest on one seed."));
}

TEST(Conclusion, WhereNothingIsFinishedComparesNothing) {
  const auto sentences = concluded({{.memory = "none", .scores = {0.5}, .finished = false},
                                    {.memory = "npq_w", .scores = {0.9}, .finished = false}});
  ASSERT_THAT(sentences, SizeIs(2));
  EXPECT_THAT(sentences[0], AllOf(HasSubstr("no run is finished, so nothing can be compared yet"),
                                  Not(HasSubstr("90.00"))));
}

TEST(Conclusion, OfUntestedModelsSaysSo) {
  EXPECT_THAT(concluded({{.memory = "none", .scores = {0.5}, .size = -1},
                         {.memory = "npq_w", .scores = {0.9}, .size = -1}})[0],
              HasSubstr("none was tested (npq evaluate RUN does it), and the highest validation "
                        "score is 90.00%, that of MPNN + NPQ_W"));
}

TEST(Conclusion, OfPeptidesIsAboutErrorsOfWhichLessIsBetter) {
  const auto sentences = concluded(
      {{.memory = "none", .scores = {0.50, 0.52}, .algorithm = "peptides", .steps = 50},
       {.memory = "npq_w", .scores = {0.40, 0.42}, .algorithm = "peptides", .steps = 50}});
  ASSERT_THAT(sentences, SizeIs(2));
  EXPECT_THAT(sentences[0],
              AllOf(HasSubstr("GCN and GCN + NPQ_W learned peptides for 50 epochs with 2 seeds "
                              "each; "),
                    HasSubstr("GCN + NPQ_W has a test error of 0.4100 standard deviations and GCN "
                              "0.5100, a difference of -0.1000 (less is better), beyond chance")));
  EXPECT_THAT(sentences[1], HasSubstr("the molecules are generated"));
}

TEST(Conclusion, OfManyModelsOnPeptidesSaysWhichNumberItMeans) {
  EXPECT_THAT(
      concluded({{.memory = "none", .scores = {0.50, 0.52}, .algorithm = "peptides"},
                 {.memory = "npq_m", .scores = {0.60, 0.62}, .algorithm = "peptides"},
                 {.memory = "npq_w", .scores = {0.40, 0.42}, .algorithm = "peptides"}})[1],
      AllOf(HasSubstr("By test error in standard deviations of the targets GCN + NPQ_W (-0.1000, "),
            HasSubstr("is better than the same network without a memory, and GCN + NPQ_M"),
            HasSubstr("is worse")));
}

TEST(Conclusion, NamesTheAlgorithmOfADrainedQueueWhereThereAreSeveral) {
  EXPECT_THAT(concluded({{.memory = "npq_w", .scores = {0.5}, .drained = 0.96},
                         {.memory = "npq_w", .scores = {0.5}, .algorithm = "bfs", .drained = 0.5}})
                  .back(),
              HasSubstr("the queue of MPNN + NPQ_W (dijkstra) is drained in every step (it loses "
                        "96% of its strength)"));
}

TEST(Conclusion, OfOneModelHasItsScoreAndNothingToCompareWith) {
  EXPECT_THAT(concluded({{.memory = "npq_w", .scores = {0.9}}})[0],
              HasSubstr("MPNN + NPQ_W learned dijkstra for 2000 steps with one seed; on test "
                        "graphs of 64 nodes it gets 90.00% of the answer right, and there is no "
                        "finished model without a memory to compare with"));
}

}  // namespace
}  // namespace npq::report
