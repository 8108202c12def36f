// When a difference between models says something, and when it does not.
#include "npq/report/tables/verdicts.h"

#include <gmock/gmock.h>

#include "tests/report/made_up_models.h"

namespace npq::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = Verdict::Kind;
using Models = std::vector<MadeUpModel>;

std::vector<Kind> kinds(const Models& models) {
  const auto runs = runs_of(models);
  std::vector<Kind> found;
  for (const auto& verdict : verdicts(groups_of(runs))) found.push_back(verdict.kind);
  return found;
}

TEST(Verdicts, ADifferenceThatEverySeedSharesIsBetterOrWorse) {
  EXPECT_THAT(kinds({{.memory = "none", .scores = {0.50, 0.60, 0.70}},
                     {.memory = "npq_m", .scores = {0.40, 0.49, 0.60}},
                     {.memory = "npq_w", .scores = {0.60, 0.71, 0.80}}}),
              ElementsAre(Kind::Worse, Kind::Better));
}

TEST(Verdicts, ADifferenceThatChangesItsSignWithTheSeedIsOpen) {
  EXPECT_THAT(kinds({{.memory = "none", .scores = {0.5, 0.6, 0.7}},
                     {.memory = "npq_w", .scores = {0.9, 0.55, 0.75}}}),
              ElementsAre(Kind::Open));
}

TEST(Verdicts, OneSeedIsOneDrawHoweverLargeTheDifference) {
  EXPECT_THAT(
      kinds({{.memory = "none", .scores = {0.1, 0.1, 0.1}}, {.memory = "npq_w", .scores = {0.9}}}),
      ElementsAre(Kind::OneDraw));
}

TEST(Verdicts, WhatRestsOnAFewGraphsIsOpen) {
  // Both seeds gain 0.2 on average, but by one of four graphs alone.
  const std::vector<double> without = {0.5, 0.5, 0.5, 0.5}, with = {0.5, 0.5, 0.5, 1.3};
  EXPECT_THAT(kinds({{.memory = "none", .scores = {0.5, 0.5}, .graphs = {without, without}},
                     {.memory = "npq_w", .scores = {0.7, 0.7}, .graphs = {with, with}}}),
              ElementsAre(Kind::Open));
}

TEST(Verdicts, OnPeptidesLessIsBetter) {
  EXPECT_THAT(kinds({{.memory = "none", .scores = {0.50, 0.52}, .algorithm = "peptides"},
                     {.memory = "npq_w", .scores = {0.40, 0.42}, .algorithm = "peptides"}}),
              ElementsAre(Kind::Better));
}

TEST(Verdicts, WhatIsNotFinishedIsNotJudged) {
  EXPECT_THAT(kinds({{.memory = "none", .scores = {0.5, 0.5}},
                     {.memory = "npq_w", .scores = {0.9, 0.9}, .finished = false}}),
              IsEmpty());
}

TEST(CommonSize, IsTheLargestOfThoseThatMostModelsHave) {
  auto runs = runs_of({{.memory = "none", .scores = {0.5}}, {.memory = "npq_w", .scores = {0.5}}});
  runs[0].tests.push_back({.checkpoint = "best", .size = 128, .score = 0.5});
  runs[1].tests.push_back({.checkpoint = "best", .size = 128, .score = 0.5});
  runs[1].tests.push_back({.checkpoint = "best", .size = 256, .score = 0.5});
  const auto groups = groups_of(runs);
  EXPECT_EQ(common_size(std::vector<const Group*>{&groups[0], &groups[1]}), 128);
  EXPECT_EQ(common_size({}), std::nullopt);
}

}  // namespace
}  // namespace npq::report
