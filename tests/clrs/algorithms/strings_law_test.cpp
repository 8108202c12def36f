// What string matching promises, on hundreds of random texts over two or four letters, with and
// without a match.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "npq/clrs/algorithms/algorithms.h"
#include "tests/support/run_algorithm.h"

namespace npq::clrs {
namespace {

using namespace npq::test;

/// law(strings) with haystacks of 2 to 40 characters and needles of 1 to 6.
template <class Law>
void for_many_strings(const Law& law) {
  std::mt19937 random(7);
  for (int k = 0; k < 400; ++k) {
    SCOPED_TRACE(testing::Message() << "input " << k);
    const unsigned letters = k % 2 ? 2 : 4;
    Strings strings;
    strings.second.resize(1 + random() % 6);
    strings.first.resize(strings.second.size() + 1 + random() % 34);
    for (auto& c : strings.first) c = static_cast<std::uint8_t>(random() % letters);
    for (auto& c : strings.second) c = static_cast<std::uint8_t>(random() % letters);
    law(strings);
  }
}

/// Where the needle first occurs; the length of the haystack if nowhere, which is the node where
/// the needle begins.
int first_occurrence(const Strings& in) {
  return static_cast<int>(
      std::search(in.first.begin(), in.first.end(), in.second.begin(), in.second.end()) -
      in.first.begin());
}

TEST(NaiveStringMatcherLaw, FindsTheFirstOccurrenceInOneStepForEachComparison) {
  int found = 0;
  for_many_strings([&](const Strings& in) {
    const int h = static_cast<int>(in.first.size()), m = static_cast<int>(in.second.size());
    const auto sample = run(naive_string_matcher_spec, naive_string_matcher, in);
    EXPECT_EQ(marked(sample, "match"), first_occurrence(in));
    found += first_occurrence(in) < h;
    int comparisons = 0;
    for (int s = 0; s <= std::min(h - m, first_occurrence(in)); ++s) {
      const auto [differs, end] =
          std::mismatch(in.second.begin(), in.second.end(), in.first.begin() + s);
      comparisons += std::min<int>(m, static_cast<int>(differs - in.second.begin()) + 1);
    }
    EXPECT_EQ(sample.length(), comparisons);
  });
  EXPECT_GT(found, 100);
  EXPECT_LT(found, 350);
}

TEST(KmpMatcherLaw, FindsTheFirstOccurrenceInLinearTime) {
  for_many_strings([](const Strings& in) {
    const int h = static_cast<int>(in.first.size()), m = static_cast<int>(in.second.size());
    const auto sample = run(kmp_matcher_spec, kmp_matcher, in);
    EXPECT_EQ(marked(sample, "match"), first_occurrence(in));
    // Every fall back undoes a step forward, of which there is at most one per character.
    EXPECT_LE(sample.length(), 2 * (h + m));
    const int looked_at = first_occurrence(in) == h ? h : first_occurrence(in) + m;
    EXPECT_EQ(marked(sample, "i", sample.length() - 1), looked_at - 1);
  });
}

TEST(KmpMatcherLaw, ThePrefixFunctionIsTheLongestProperBorder) {
  for_many_strings([](const Strings& in) {
    const auto& P = in.second;
    const int h = static_cast<int>(in.first.size());
    const auto sample = run(kmp_matcher_spec, kmp_matcher, in);
    const auto pi = pointers(sample, "pi", sample.length() - 1);
    const auto is_reset = mask(sample, "is_reset", sample.length() - 1);
    for (int q = 0; q < static_cast<int>(P.size()); ++q) {
      int border = q;  // of P[0..q]
      while (border > 0 && !std::equal(P.begin(), P.begin() + border, P.begin() + q + 1 - border))
        --border;
      EXPECT_EQ(is_reset[h + q], border == 0) << "q = " << q;
      EXPECT_EQ(pi[h + q], h + std::max(border - 1, 0)) << "q = " << q;
    }
  });
}

}  // namespace
}  // namespace npq::clrs
