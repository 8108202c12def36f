#include <gmock/gmock.h>

#include <algorithm>

#include "tests/clrs/samplers/drawn.h"

namespace npq::clrs {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(Samplers, TwoStringsShareTheLength) {
  const auto halves = drawn<Strings>(sample_lcs_strings, 1, 7);
  EXPECT_THAT(halves.first, SizeIs(4));
  EXPECT_THAT(halves.second, SizeIs(3));
  const auto asked = drawn<Strings>(sample_lcs_strings, 1, 7, {.length_2 = 5, .chars = 1});
  EXPECT_THAT(asked.first, ElementsAre(0, 0));
  EXPECT_THAT(asked.second, ElementsAre(0, 0, 0, 0, 0));
}

TEST(Samplers, TheNeedleIsPlantedBeforeTheLastPlace) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const auto [haystack, needle] =
        drawn<Strings>(sample_match_strings, seed, 16, {.length_needle = 6});
    ASSERT_THAT(needle, SizeIs(6));
    ASSERT_THAT(haystack, SizeIs(10));
    const auto found = std::search(haystack.begin(), haystack.end(), needle.begin(), needle.end());
    EXPECT_LT(found - haystack.begin(), 10 - 6) << seed;
  }
}

TEST(Samplers, ANeedleIsAFifthOfTheLengthAndAtLeastOneCharacter) {
  EXPECT_THAT(drawn<Strings>(sample_match_strings, 1, 64).second, SizeIs(12));
  EXPECT_THAT(drawn<Strings>(sample_match_strings, 1, 5).second, SizeIs(1));
  EXPECT_THAT(drawn<Strings>(sample_match_strings, 1, 3).second, SizeIs(1));
}

TEST(Samplers, ANegativeNeedleLengthIsDrawnFirst) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    const auto strings = drawn<Strings>(sample_match_strings, seed, 20, {.length_needle = -8});
    EXPECT_EQ(strings.second.size(), random::RandomState(seed).randint(1, 9));
    EXPECT_EQ(strings.first.size() + strings.second.size(), 20u);
  }
}

}  // namespace
}  // namespace npq::clrs
