// String matching on texts small enough to follow by hand; the letters are a = 0, b = 1, c = 2, d
// = 3.
#include <gmock/gmock.h>

#include <string_view>
#include <vector>

#include "npq/clrs/algorithms/algorithms.h"
#include "tests/support/run_algorithm.h"

namespace npq::clrs {
namespace {

using namespace npq::test;
using testing::ElementsAre;

Strings haystack_and_needle(std::string_view haystack, std::string_view needle) {
  Strings strings;
  for (const char c : haystack) strings.first.push_back(c - 'a');
  for (const char c : needle) strings.second.push_back(c - 'a');
  return strings;
}

TEST(NaiveStringMatcher, TriesEveryShiftUntilAllCharactersAgree) {
  const auto sample =
      run(naive_string_matcher_spec, naive_string_matcher, haystack_and_needle("abaab", "aa"));
  EXPECT_EQ(marked(sample, "match"), 2);
  EXPECT_THAT(marked_over_time(sample, "s"), ElementsAre(0, 0, 1, 2, 2));
  EXPECT_THAT(marked_over_time(sample, "i"), ElementsAre(0, 1, 1, 2, 3));
  EXPECT_THAT(marked_over_time(sample, "j"), ElementsAre(5, 6, 5, 5, 6));
}

TEST(NaiveStringMatcher, ShowsTheHaystackBeforeTheNeedle) {
  const auto sample =
      run(naive_string_matcher_spec, naive_string_matcher, haystack_and_needle("dcab", "ab"));
  EXPECT_THAT(mask(sample, "string"), ElementsAre(0, 0, 0, 0, 1, 1));
  EXPECT_THAT(classes(sample, "key"), ElementsAre(3, 2, 0, 1, 0, 1));
  EXPECT_THAT(scalars(sample, "pos"), ElementsAre(0, 0.25, 0.5, 0.75, 0, 0.5));
  EXPECT_THAT(pointers(sample, "pred_h"), ElementsAre(0, 0, 1, 2, 4, 4));
}

TEST(NaiveStringMatcher, PointsToTheNeedleItselfIfItIsNowhere) {
  EXPECT_EQ(marked(run(naive_string_matcher_spec, naive_string_matcher,
                       haystack_and_needle("abab", "bb")),
                   "match"),
            4);
}

TEST(KmpMatcher, ComputesThePrefixFunctionOfTheBooksFigure3211) {
  // pi of ababaca is 0 0 1 2 3 0 1, as lengths. Shown is the last node of that prefix, or a reset
  // where it is empty.
  const auto sample =
      run(kmp_matcher_spec, kmp_matcher, haystack_and_needle("abababaca", "ababaca"));
  const int last = sample.length() - 1;
  EXPECT_THAT(pointers(sample, "pi", last),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, /*needle:*/ 9, 9, 9, 10, 11, 9, 9));
  EXPECT_THAT(mask(sample, "is_reset", last),
              ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, /*needle:*/ 1, 1, 0, 0, 0, 1, 0));
  EXPECT_EQ(marked(sample, "match"), 2);
}

TEST(KmpMatcher, NeverLooksBackInTheHaystackButFallsBackInTheNeedle) {
  const auto sample = run(kmp_matcher_spec, kmp_matcher, haystack_and_needle("aba", "aa"));
  // The prefix function of aa takes the start and one step. Then a agrees, at b the needle falls
  // back to nothing, and the last a is only a beginning.
  EXPECT_THAT(flag_over_time(sample, "phase"), ElementsAre(0, 0, 1, 1, 1, 1));
  EXPECT_THAT(marked_over_time(sample, "i"), ElementsAre(0, 0, 0, 1, 1, 2));
  EXPECT_THAT(marked_over_time(sample, "q"), ElementsAre(4, 4, 3, 3, 3, 3));
  EXPECT_THAT(flag_over_time(sample, "q_reset"), ElementsAre(1, 1, 1, 0, 1, 1));
  EXPECT_THAT(marked_over_time(sample, "k"), ElementsAre(3, 3, 3, 3, 3, 3));
  EXPECT_THAT(flag_over_time(sample, "k_reset"), ElementsAre(1, 0, 0, 0, 0, 0));
  EXPECT_THAT(marked_over_time(sample, "s"), ElementsAre(0, 0, 0, 0, 0, 1));
  EXPECT_EQ(marked(sample, "match"), 3) << "nowhere, so it points to the needle";
}

TEST(KmpMatcher, FindsANeedleOfOneCharacter) {
  const auto sample = run(kmp_matcher_spec, kmp_matcher, haystack_and_needle("aac", "c"));
  EXPECT_EQ(marked(sample, "match"), 2);
  EXPECT_EQ(sample.length(), 4);
}

}  // namespace
}  // namespace npq::clrs
