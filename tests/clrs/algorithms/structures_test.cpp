// The data-structure tasks against the standard containers.
#include <gmock/gmock.h>

#include <optional>
#include <queue>
#include <stack>

#include "npq/clrs/algorithms/algorithms.h"
#include "npq/clrs/dataset/dataset.h"
#include "tests/support/run_algorithm.h"

namespace npq::test {
namespace {

using clrs::Operations;
using ::testing::ElementsAre;

TEST(Structures, ThreePushesAndTwoPopsByHand) {
  // Push 0 (0.2), 1 (0.9), pop, 2 (0.5), pop: the priority queue gives 1 then 2, the stack 1 then
  // 2, the queue 0 then 1.
  const Operations in{{0.2, 0.9, 0.5}, {0, 1, 1}};
  const auto by_key = run(clrs::structure_spec, clrs::priority_queue, in);
  EXPECT_THAT(pointers(by_key, "popped_at"), ElementsAre(0, 1, 2));
  EXPECT_THAT(marked_over_time(by_key, "top"), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(mask(by_key, "in_queue", 3), ElementsAre(1, 0, 0));
  const auto newest = run(clrs::structure_spec, clrs::stack, in);
  EXPECT_THAT(pointers(newest, "popped_at"), ElementsAre(0, 1, 2));
  const auto oldest = run(clrs::structure_spec, clrs::queue, in);
  EXPECT_THAT(pointers(oldest, "popped_at"), ElementsAre(1, 2, 2));
  EXPECT_THAT(marked_over_time(oldest, "top"), ElementsAre(0, 0, 1, 2));
  EXPECT_THAT(marked_over_time(oldest, "i"), ElementsAre(0, 0, 1, 2));
}

/// The order in which a standard container gives up its elements, as the trace should tell it.
template <class Container, class Push, class Top>
void expect_like(void algorithm(const Operations&, clrs::Trace&), Push push, Top top) {
  random::RandomState random(11);
  for (int sample = 0; sample < 200; ++sample) {
    const int n = 2 + sample % 39;
    const auto in = std::get<Operations>(clrs::sample_operations(random, n, {}));
    const auto traced = run(clrs::structure_spec, algorithm, in);
    ASSERT_EQ(traced.length(), n + 1);
    Container container;
    std::vector<int> popped_at(n);
    for (int i = 0; i < n; ++i) popped_at[i] = i;
    for (int i = 0; i < n; ++i) {
      push(container, in, i);
      if (in.pop_after[i]) {
        popped_at[top(container)] = i;
        container.pop();
      }
      ASSERT_EQ(marked(traced, "top", i + 1), container.empty() ? i : top(container));
      const auto inside = mask(traced, "in_queue", i + 1);
      ASSERT_EQ(std::count(inside.begin(), inside.end(), 1),
                static_cast<std::ptrdiff_t>(container.size()));
    }
    ASSERT_EQ(pointers(traced, "popped_at"), popped_at);
  }
}

TEST(Structures, ThePriorityQueueIsAStdPriorityQueue) {
  expect_like<std::priority_queue<std::pair<double, int>>>(
      clrs::priority_queue,
      [](auto& c, const Operations& in, int i) {
        c.push({in.key[i], -i});
      },
      [](const auto& c) { return -c.top().second; });
}

TEST(Structures, TheStackIsAStdStack) {
  expect_like<std::stack<int>>(
      clrs::stack, [](auto& c, const Operations&, int i) { c.push(i); },
      [](const auto& c) { return c.top(); });
}

TEST(Structures, TheQueueIsAStdQueue) {
  expect_like<std::queue<int>>(
      clrs::queue, [](auto& c, const Operations&, int i) { c.push(i); },
      [](const auto& c) { return c.front(); });
}

TEST(Structures, TiesGoToTheSmallerIndex) {
  const auto traced =
      run(clrs::structure_spec, clrs::priority_queue, Operations{{0.5, 0.5, 0.1}, {0, 1, 0}});
  EXPECT_THAT(pointers(traced, "popped_at"), ElementsAre(1, 1, 2));
}

TEST(Structures, AreFoundByNameButAreNoneOfTheThirty) {
  EXPECT_EQ(clrs::catalog().size(), 30u);
  EXPECT_EQ(clrs::find_algorithm("priority_queue").name, "priority_queue");
  EXPECT_EQ(clrs::structure_tasks().size(), 3u);
}

}  // namespace
}  // namespace npq::test
