// Which graphs choose the best model.
#include <gmock/gmock.h>

#include "npq/train/loop/algorithm_subject.h"
#include "npq/train/scoring/scoring.h"
#include "tests/train/loop/small_run.h"

namespace npq::train {
namespace {

EvaluationReport evaluated(const std::vector<int>& sizes) {
  auto options = small_run();
  options.validate_sizes = sizes;
  return AlgorithmSubject(options).evaluate(0);
}

TEST(ValidateSizes, OfTwoTheScoreIsTheMeanOfTheSingleOnes) {
  const auto small = evaluated({8}), large = evaluated({12}), both = evaluated({8, 12});
  EXPECT_NE(small.validation, large.validation);
  EXPECT_DOUBLE_EQ(both.validation, (small.validation + large.validation) / 2);
  EXPECT_EQ(both.figures.at("val_8"), small.validation);
  EXPECT_EQ(both.figures.at("val_12"), large.validation);
  for (const auto& [name, score] : both.scores)
    EXPECT_DOUBLE_EQ(score, (small.scores.at(name) + large.scores.at(name)) / 2) << name;
}

TEST(ValidateSizes, SixteenIsTheOfficialSetAndTheDefault) {
  const AlgorithmSubject subject(small_run());
  const auto& network = subject.network();
  const auto& algorithm = network.task.algorithm();
  const auto data = clrs::generate(algorithm, clrs::official_split(algorithm, clrs::Split::Val));
  const auto score =
      scores_of(network.task.spec(), score_samples(network, data.samples, {.batch = 2})).score;
  const auto usual = evaluated({}), asked = evaluated({16});
  EXPECT_EQ(usual.validation, score);
  EXPECT_EQ(asked.validation, score);
  EXPECT_TRUE(usual.figures.empty());
  EXPECT_EQ(asked.figures.at("val_16"), score);
}

TEST_F(Run, LogsTheScoreOfEverySizeAndKeepsTheBestByTheirMean) {
  auto options = small_run();
  options.validate_sizes = {4, 8};
  train("run", options);
  double best = -1;
  for (const auto& line : metrics()) {
    if (!line.contains("val")) continue;
    const auto mean = (line["val_4"].get<double>() + line["val_8"].get<double>()) / 2;
    EXPECT_DOUBLE_EQ(line["val"], mean);
    EXPECT_EQ(line["best"], line["val"] > best);
    best = std::max(best, line["val"].get<double>());
  }
  EXPECT_EQ(nlohmann::json::parse(content("run", "result.json"))["best_val"], best);
  const auto csv = content("run", "metrics.csv");
  EXPECT_THAT(csv.substr(0, csv.find('\n')), ::testing::HasSubstr(",val,val_4,val_8"));
}

}  // namespace
}  // namespace npq::train
