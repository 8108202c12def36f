// What must hold of the maximum subarray on any input.
#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "npq/clrs/algorithms/algorithms.h"
#include "tests/clrs/algorithms/random_inputs.h"
#include "tests/support/run_algorithm.h"

namespace npq::clrs {
namespace {

using namespace npq::test;

constexpr double kRounding = 1e-13;  // sums of at most 40 terms below 2, in another order

Sample kadane(const Scalars& key) {
  return run(find_maximum_subarray_kadane_spec, find_maximum_subarray_kadane, {key});
}

/// Keys around zero; one array in three has many ties.
Scalars signed_keys(RandomInputs& random, int n) {
  auto key = random.keys(n);
  const double middle = random.uniform() * 1.2;
  for (double& k : key) k -= middle;
  return key;
}

double sum(const Scalars& key, int low, int high) {
  return std::accumulate(key.begin() + low, key.begin() + high + 1, 0.0);
}

double best_sum_by_trying_all(const Scalars& key) {
  double best = -std::numeric_limits<double>::infinity();
  for (int low = 0; low < std::ssize(key); ++low)
    for (int high = low; high < std::ssize(key); ++high) best = std::max(best, sum(key, low, high));
  return best;
}

TEST(FindMaximumSubarrayKadaneLaw, FindsTheLargestSumOfAllSubarrays) {
  for_many_sizes(1, [](RandomInputs& random, int n) {
    const auto key = signed_keys(random, n);
    const auto sample = kadane(key);
    const int start = marked(sample, "start"), end = marked(sample, "end");
    ASSERT_LE(start, end);
    EXPECT_NEAR(sum(key, start, end), best_sum_by_trying_all(key), kRounding);
  });
}

TEST(FindMaximumSubarrayKadaneLaw, ShowsAtEachStepTheBestOfThePartSeenSoFar) {
  for_many_sizes(1, [](RandomInputs& random, int n) {
    const auto key = signed_keys(random, n);
    const auto sample = kadane(key);
    ASSERT_EQ(sample.length(), n);
    for (int t = 0; t < n; ++t) {
      const Scalars seen(key.begin(), key.begin() + t + 1);
      ASSERT_NEAR(scalar(sample, "best_sum", t), best_sum_by_trying_all(seen), kRounding);
      const int low = marked(sample, "best_low", t), high = marked(sample, "best_high", t);
      ASSERT_NEAR(scalar(sample, "best_sum", t), sum(key, low, high), kRounding);
      ASSERT_NEAR(scalar(sample, "sum", t), sum(key, marked(sample, "i", t), t), kRounding);
    }
    EXPECT_EQ(marked(sample, "start"), marked(sample, "best_low", n - 1));
    EXPECT_EQ(marked(sample, "end"), marked(sample, "best_high", n - 1));
  });
}

}  // namespace
}  // namespace npq::clrs
