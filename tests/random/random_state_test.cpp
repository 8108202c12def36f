#include "npq/random/random_state.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "npq/base/error.h"

namespace npq {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;
using testing::UnorderedElementsAreArray;

TEST(RandomState, TheFirstOutputsOfSeed5489AreThoseThatMatsumotoAndNishimuraPrint) {
  random::RandomState random(5489);
  EXPECT_EQ(random.next_u32(), 3499211612u);
  EXPECT_EQ(random.next_u32(), 581869302u);
}

TEST(RandomState, TheTenThousandthOutputIsTheOneTheCppStandardDemands) {
  random::RandomState random(5489);
  for (int i = 1; i < 10000; ++i) random.next_u32();
  EXPECT_EQ(random.next_u32(), 4123659995u);
}

TEST(RandomState, ADoubleTakes27BitsOfOneOutputAnd26OfTheNext) {
  random::RandomState raw(7), random(7);
  const double a = raw.next_u32() / 32, b = raw.next_u32() / 64;
  EXPECT_EQ(random.random_sample(), (a * 67108864 + b) / 9007199254740992);
}

TEST(RandomState, AnArrayOfUniformsIsAsManySingleOnesWhereverTheBlockEnds) {
  // An odd position makes one pair straddle two blocks of 624 words.
  for (const int skipped : {0, 1, 2, 621, 622, 623}) {
    random::RandomState bulk(3), single(3);
    for (int i = 0; i < skipped; ++i) {
      bulk.next_u32();
      single.next_u32();
    }
    std::vector<double> wanted;
    for (int i = 0; i < 1000; ++i) wanted.push_back(single.uniform(-2, 5));
    EXPECT_EQ(bulk.uniform(-2, 5, 1000), wanted) << skipped;
    EXPECT_EQ(bulk.state(), single.state()) << skipped;
  }
}

TEST(RandomState, AnArrayOfBinomialsIsAsManySingleOnes) {
  for (const std::int64_t n : {0, 1, 2, 20, 70, 1000, 100000}) {
    for (const double p : {0.0, 1e-300, 0.01, 0.3, 0.5, 0.7000000000000001, 0.99, 1.0}) {
      random::RandomState filled(11), listed(11), single(11);
      std::vector<double> wanted, values(700);
      for (int i = 0; i < 700; ++i) wanted.push_back(single.binomial(n, p));
      filled.binomial(n, p, values);
      EXPECT_EQ(values, wanted) << n << " " << p;
      EXPECT_THAT(listed.binomial(n, p, 700), testing::ElementsAreArray(wanted));
      EXPECT_EQ(filled.state(), single.state()) << n << " " << p;
      EXPECT_EQ(listed.state(), single.state()) << n << " " << p;
    }
  }
}

TEST(RandomState, BinomialsHaveTheMeanAndVarianceOfTheirLaw) {
  // Inversion, BTPE near its threshold and far above it, and the flipped side of both. Over 20000
  // draws the mean lies within five standard errors, the variance within a tenth.
  struct Law {
    std::int64_t n;
    double p;
  };
  for (const auto& [n, p] :
       {Law{1, 0.2}, {40, 0.3}, {40, 0.9}, {61, 0.5}, {200, 0.8}, {5000, 0.4}}) {
    random::RandomState random(5);
    const double mean = n * p, variance = mean * (1 - p);
    double sum = 0, squares = 0;
    for (const auto x : random.binomial(n, p, 20000)) {
      ASSERT_GE(x, 0);
      ASSERT_LE(x, n);
      sum += x;
      squares += (x - mean) * (x - mean);
    }
    EXPECT_NEAR(sum / 20000, mean, 5 * std::sqrt(variance / 20000)) << n << " " << p;
    EXPECT_NEAR(squares / 20000, variance, variance / 10) << n << " " << p;
  }
}

TEST(RandomState, BinomialsByRejectionAreNumpysAndLeaveItsStreamInTheSamePlace) {
  // Made with numpy 1.24.2: r = RandomState(seed); v = r.binomial(n, p, 500);
  // sum((i + 1) * v[i]); r.randint(2**32). Shapes of the hat from barely above its threshold on.
  struct Case {
    std::int64_t n;
    double p;
    std::uint32_t seed;
    std::int64_t weighted_sum;
    std::uint32_t next;
  };
  for (const auto& wanted : std::vector<Case>{
           {61, 0.5, 1, 3815865ll, 2292005341u},
           {1000, 0.031, 2, 3970931ll, 2078502511u},
           {250, 0.87, 3, 27219888ll, 1065386933u},
           {5000, 0.4, 4, 250655987ll, 2594244073u},
           {100000, 0.9, 5, 11272800276ll, 826038395u},
           {1099511627776, 0.3, 6, 41314150681798360ll, 1420693208u},
       }) {
    random::RandomState random(wanted.seed);
    std::int64_t sum = 0, place = 0;
    for (const auto x : random.binomial(wanted.n, wanted.p, 500)) sum += ++place * x;
    EXPECT_EQ(sum, wanted.weighted_sum) << wanted.n;
    EXPECT_EQ(random.next_u32(), wanted.next) << wanted.n;
  }
}

TEST(RandomState, WhatCanOnlyComeOutOneWayDrawsNothing) {
  random::RandomState random(1);
  const auto before = random.state();
  EXPECT_EQ(random.randint(5, 6), 5);
  EXPECT_EQ(random.choice(1), 0);
  EXPECT_EQ(random.binomial(1, 0), 0);
  EXPECT_EQ(random.binomial(0, 0.5), 0);
  EXPECT_THAT(random.permutation(1), ElementsAre(0));
  EXPECT_THAT(random.permutation(0), ElementsAre());
  EXPECT_EQ(random.state(), before);
}

TEST(RandomState, ACertainBinomialStillDrawsAsNumpyDoes) {
  random::RandomState random(1), other(1);
  EXPECT_EQ(random.binomial(1, 1.0), 1);
  other.random_sample();
  EXPECT_EQ(random.state(), other.state());
}

TEST(RandomState, IntegersCoverTheirWholeRangeAndNothingElse) {
  random::RandomState random(2);
  const auto drawn = random.randint(-2, 3, 500);
  EXPECT_THAT(std::set(drawn.begin(), drawn.end()), ElementsAre(-2, -1, 0, 1, 2));
}

TEST(RandomState, TheLargestRangeOfIntegersIsRawOutput) {
  random::RandomState random(2), raw(2);
  constexpr auto kLow = std::numeric_limits<std::int64_t>::min();
  constexpr auto kHigh = std::numeric_limits<std::int64_t>::max();
  // All but one of 2^64 values: the mask is full, so the first try is below the top.
  const std::uint64_t offset = raw.next_u64();
  EXPECT_EQ(random.randint(kLow, kHigh), static_cast<std::int64_t>(offset + (1ull << 63)));
}

TEST(RandomState, APermutationHoldsEveryElementOnce) {
  std::vector<std::int64_t> all(100);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_THAT(random::RandomState(9).permutation(100), UnorderedElementsAreArray(all));
  EXPECT_THAT(random::RandomState(9).choice_without_replacement(100, 100),
              UnorderedElementsAreArray(all));
}

TEST(RandomState, AWeightOfZeroIsNeverChosen) {
  random::RandomState random(4);
  for (int i = 0; i < 200; ++i) {
    EXPECT_NE(random.weighted_choice(std::vector{0.5, 0.0, 0.5}), 1);
  }
}

TEST(RandomState, GaussiansComeInPairsAndTheSecondSurvivesOtherCalls) {
  random::RandomState pair(6), interrupted(6);
  const double first = pair.standard_normal(), second = pair.standard_normal();
  EXPECT_EQ(interrupted.standard_normal(), first);
  interrupted.uniform(0, 1, 10);
  EXPECT_EQ(interrupted.standard_normal(), second);
  EXPECT_EQ(random::RandomState(6).normal(10, 2), 10 + 2 * first);
}

TEST(RandomState, ASavedStateGoesOnWhereItWasTakenWithItsGaussian) {
  random::RandomState random(8);
  random.uniform(0, 1, 333);
  random.next_u32();
  random.standard_normal();
  const auto saved = random.state();
  ASSERT_TRUE(saved.gaussian);
  const double normal = random.standard_normal();
  const auto integers = random.randint(0, 1000, 2000);

  random::RandomState other(0);
  other.set_state(saved);
  EXPECT_EQ(other.standard_normal(), normal);
  EXPECT_EQ(other.randint(0, 1000, 2000), integers);
  EXPECT_EQ(other.state(), random.state());
}

TEST(RandomState, ADamagedStateIsRefusedAndLeavesTheGeneratorAlone) {
  random::RandomState random(8);
  auto damaged = random.state();
  damaged.position = 625;
  EXPECT_THROW(random.set_state(damaged), UsageError);
  EXPECT_EQ(random.state(), random::RandomState(8).state());
}

TEST(RandomState, CallsWithoutAnAnswerSayWhatTheyNeed) {
  random::RandomState random(1);
  EXPECT_THAT([&] { random.choice(0); }, ThrowsMessage<UsageError>(HasSubstr("which is empty")));
  EXPECT_THAT([&] { random.binomial(1, 1.5); },
              ThrowsMessage<UsageError>(HasSubstr("from 0 to 1")));
  EXPECT_THAT([&] { random.binomial(-1, 0.5); }, ThrowsMessage<UsageError>(HasSubstr("0 or more")));
  EXPECT_THAT([&] { random.uniform(0, HUGE_VAL); }, ThrowsMessage<UsageError>(HasSubstr("finite")));
  EXPECT_THAT([&] { random.permutation(-1); }, ThrowsMessage<UsageError>(HasSubstr("0 or more")));
  EXPECT_THAT([&] { random.choice_without_replacement(3, 4); },
              ThrowsMessage<UsageError>(HasSubstr("at most 3")));
  EXPECT_THAT(
      [&] {
        random.weighted_choice(std::vector{0.5, 0.4});
      },
      ThrowsMessage<UsageError>(HasSubstr("add up to 0.9")));
  EXPECT_THAT([&] { random.normal(0, -1); }, ThrowsMessage<UsageError>(HasSubstr("deviation")));
  EXPECT_EQ(random.state(), random::RandomState(1).state());
}

}  // namespace
}  // namespace npq
