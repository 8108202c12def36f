#include "npq/prove/supervision.h"

#include <gmock/gmock.h>

#include <cmath>

namespace npq::prove {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::UnorderedElementsAre;

SupervisionRun made_up(double first, double last, std::map<std::string, double> gradients) {
  SupervisionRun run{.seed = 1, .losses = std::vector<double>(20, last), .gradients = gradients};
  std::fill_n(run.losses.begin(), 10, first);
  return run;
}

TEST(Supervision, TheLastTenStepsMustCostLessThanFourFifthsOfTheFirstTen) {
  EXPECT_TRUE(made_up(1, 0.79, {}).learns());
  EXPECT_FALSE(made_up(1, 0.81, {}).learns());
}

TEST(Supervision, EverySeedCounts) {
  const SupervisionRow row{"x", {made_up(1, 0.5, {}), made_up(1, 0.9, {})}};
  EXPECT_FALSE(row.holds());
}

TEST(Supervision, OnlyTheAttentionMayGoWithoutGradients) {
  const SupervisionRow blind{"x", {made_up(1, 0.5, {{"memory/a1.w", 0}, {"memory/v.w", 1}})}};
  EXPECT_THAT(blind.unreached(), ElementsAre("memory/a1.w"));
  EXPECT_TRUE(blind.holds());
  const SupervisionRow cut{"x", {made_up(1, 0.5, {{"memory/a1.w", 1}, {"memory/v.w", 0}})}};
  EXPECT_FALSE(cut.holds());
}

TEST(Supervision, TrainingWithoutHintsSendsGradientsToEveryParameterOfAMemory) {
  ProveOptions options;
  options.steps = 20;
  options.hidden = 8;
  options.batch = 2;
  const auto run = train_without_hints("gru", 1, options);
  ASSERT_EQ(run.losses.size(), 20u);
  EXPECT_NEAR(run.losses[0], std::log(16.0), 1.5);  // the output's alone, near a uniform guess
  EXPECT_THAT(run.gradients, UnorderedElementsAre(Key("memory/input.w"), Key("memory/input.b"),
                                                  Key("memory/hidden.w"), Key("memory/hidden.b"),
                                                  Key("memory/m.w"), Key("memory/m.b")));
  EXPECT_THAT((SupervisionRow{"gru", {run}}.unreached()), IsEmpty());
}

}  // namespace
}  // namespace npq::prove
