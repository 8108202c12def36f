// What must hold of the greedy algorithms on any input.
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "npq/clrs/algorithms/algorithms.h"
#include "tests/clrs/algorithms/random_inputs.h"
#include "tests/support/run_algorithm.h"

namespace npq::clrs {
namespace {

using namespace npq::test;

int count(const std::vector<int>& mask) { return std::accumulate(mask.begin(), mask.end(), 0); }

void expect_selection_grows_to_the_output(const Sample& sample) {
  auto before = mask(sample, "selected_h", 0);
  EXPECT_EQ(count(before), 0);
  for (int t = 1; t < sample.length(); ++t) {
    const auto now = mask(sample, "selected_h", t);
    ASSERT_LE(count(now) - count(before), 1);
    for (std::size_t node = 0; node < now.size(); ++node) ASSERT_GE(now[node], before[node]);
    before = now;
  }
  EXPECT_EQ(before, mask(sample, "selected"));
}

Activities activities(RandomInputs& random, int n) {
  Activities in{random.keys(n), random.keys(n)};
  for (int i = 0; i < n; ++i) {
    if (in.s[i] > in.f[i]) std::swap(in.s[i], in.f[i]);
    if (in.s[i] == in.f[i]) in.f[i] += 0.25;  // every activity takes some time
  }
  return in;
}

/// The longest sequence in which each activity starts when the one before has finished, at the
/// earliest.
int most_compatible(const Activities& in) {
  const int n = static_cast<int>(in.s.size());
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int i) { return in.s[i]; });
  std::vector<int> longest(n);  // ending with this activity
  for (const int i : order) {
    longest[i] = 1;
    for (int k = 0; k < n; ++k)
      if (in.f[k] <= in.s[i]) longest[i] = std::max(longest[i], longest[k] + 1);
  }
  return *std::ranges::max_element(longest);
}

TEST(ActivitySelectorLaw, SelectsOnlyActivitiesThatDoNotOverlap) {
  for_many_sizes(1, [](RandomInputs& random, int n) {
    const auto in = activities(random, n);
    const auto selected = mask(run(activity_selector_spec, activity_selector, in), "selected");
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < i; ++k)
        if (selected[i] && selected[k]) {
          ASSERT_TRUE(in.s[i] >= in.f[k] || in.s[k] >= in.f[i]) << i << " and " << k;
        }
  });
}

TEST(ActivitySelectorLaw, SelectsAsManyAsPossible) {
  for_many_sizes(1, [](RandomInputs& random, int n) {
    const auto in = activities(random, n);
    const auto selected = mask(run(activity_selector_spec, activity_selector, in), "selected");
    EXPECT_EQ(count(selected), most_compatible(in));
  });
}

TEST(ActivitySelectorLaw, LooksAtEachActivityOnceByFinishAndMarksTheLatestSelected) {
  for_many_sizes(1, [](RandomInputs& random, int n) {
    const auto in = activities(random, n);
    const auto sample = run(activity_selector_spec, activity_selector, in);
    ASSERT_EQ(sample.length(), n + 1);
    expect_selection_grows_to_the_output(sample);
    std::vector<int> seen(n);
    for (int t = 1; t <= n; ++t) {
      const int m = marked(sample, "m", t), k = marked(sample, "k", t);
      ++seen[m];
      if (t > 1) {
        ASSERT_GE(in.f[m], in.f[marked(sample, "m", t - 1)]);
      }
      const auto selected = mask(sample, "selected_h", t);
      ASSERT_TRUE(selected[k]);
      if (selected[m]) {
        ASSERT_EQ(k, m);
      }
    }
    EXPECT_THAT(seen, ::testing::Each(1));
  });
}

Tasks tasks(RandomInputs& random, int n) {
  Tasks in{std::vector<int>(n), random.keys(n)};
  for (int& d : in.d) d = 1 + random.below(n);
  return in;
}

TEST(TaskSchedulingLaw, SelectsTasksThatAllMeetTheirDeadlinesInOrderOfSelection) {
  for_many_sizes(1, [](RandomInputs& random, int n) {
    const auto in = tasks(random, n);
    const auto sample = run(task_scheduling_spec, task_scheduling, in);
    int finished = 0;
    for (int t = 1; t <= n; ++t) {
      const int i = marked(sample, "i", t);
      if (mask(sample, "selected")[i]) {
        ASSERT_LE(++finished, in.d[i]);
      }
    }
    EXPECT_EQ(finished, count(mask(sample, "selected")));
  });
}

TEST(TaskSchedulingLaw, LeavesATaskOutOnlyIfAsManyHeavierOnesWereTakenAsItHasTime) {
  for_many_sizes(1, [](RandomInputs& random, int n) {
    const auto in = tasks(random, n);
    const auto sample = run(task_scheduling_spec, task_scheduling, in);
    for (int t = 1; t <= n; ++t) {
      const int i = marked(sample, "i", t);
      const bool taken = mask(sample, "selected_h", t)[i];
      ASSERT_EQ(taken, scalar(sample, "t", t - 1) < in.d[i]);
    }
  });
}

TEST(TaskSchedulingLaw, LooksAtEachTaskOnceByFallingWeightAndCountsTheSelected) {
  for_many_sizes(1, [](RandomInputs& random, int n) {
    const auto in = tasks(random, n);
    const auto sample = run(task_scheduling_spec, task_scheduling, in);
    ASSERT_EQ(sample.length(), n + 1);
    expect_selection_grows_to_the_output(sample);
    std::vector<int> seen(n);
    for (int t = 0; t <= n; ++t) {
      const int i = marked(sample, "i", t);
      ASSERT_EQ(scalar(sample, "t", t), count(mask(sample, "selected_h", t)));
      if (t > 0) ++seen[i];
      if (t > 1) {
        ASSERT_LE(in.w[i], in.w[marked(sample, "i", t - 1)]);
      }
    }
    EXPECT_THAT(seen, ::testing::Each(1));
  });
}

}  // namespace
}  // namespace npq::clrs
