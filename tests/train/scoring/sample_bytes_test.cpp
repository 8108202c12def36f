#include "npq/train/scoring/sample_bytes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace npq::train {
namespace {

TEST(SampleBytes, AreTheSameRecordsAgain) {
  const ScoredSample full = {.nodes = 3,
                             .outputs = {{"pi", {{0, 1, 2}, {0, 0, 1}}}, {"d", {{0.1}, {1 / 3.0}}}},
                             .hints = {{"mark", {{1, 0}, {-0.0, 1e300}}}},
                             .valid = {1, 0, 1}};
  const ScoredSample empty = {.nodes = 1, .outputs = {}, .hints = {}, .valid = {}};
  EXPECT_EQ(samples_of(to_bytes({full, empty})), (std::vector{full, empty}));
  EXPECT_TRUE(samples_of(to_bytes({})).empty());
}

TEST(SampleBytes, KeepWhatIsNoNumber) {
  const ScoredSample sample = {
      .nodes = 1,
      .outputs = {{"d", {{std::nan(""), std::numeric_limits<double>::infinity()}, {0, 0}}}},
      .hints = {},
      .valid = {}};
  const auto again = samples_of(to_bytes({sample})).front().outputs.at("d").predicted;
  EXPECT_TRUE(std::isnan(again[0]));
  EXPECT_TRUE(std::isinf(again[1]));
}

}  // namespace
}  // namespace npq::train
