// All 90 official splits of CLRS-30 against their published hashes, and the promise that threads
// change nothing.
#include <gtest/gtest.h>

#include "npq/clrs/dataset/verify.h"

namespace npq::clrs {
namespace {

TEST(OfficialSplits, MatchEveryPublishedHash) {
  std::vector<const Algorithm*> all;
  for (const auto& algorithm : catalog()) all.push_back(&algorithm);
  int arrays = 0;
  const auto checks = verify(all);
  EXPECT_EQ(checks.size(), 90u);
  for (const auto& check : checks)
    for (const auto& array : check.arrays) {
      ++arrays;
      EXPECT_NE(array.agreement, Agreement::Differs)
          << check.algorithm->name << " " << name_of(check.split) << " " << array.name << ": "
          << array.detail;
    }
  EXPECT_EQ(arrays, 915);
}

TEST(OfficialSplits, AWrongSeedIsNoticed) {
  const auto& algorithm = find_algorithm("bfs");
  auto options = official_split(algorithm, Split::Val);
  options.seed = 7;
  const auto check = verify_split(generate(algorithm, options), Split::Val);
  EXPECT_LT(check.matching(), static_cast<int>(check.arrays.size()));
}

TEST(OfficialSplits, FitTogetherIntoOneAndAHalfGigabytes) {
  std::size_t bytes = 0;
  for (const auto& dataset : generate_official()) bytes += dataset.bytes();
  EXPECT_LE(bytes, 1'500'000'000u);
}

}  // namespace
}  // namespace npq::clrs
