// What must hold of the four sorting algorithms on any input.
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "npq/clrs/algorithms/algorithms.h"
#include "tests/clrs/algorithms/random_inputs.h"
#include "tests/support/run_algorithm.h"

namespace npq::clrs {
namespace {

using namespace npq::test;

struct Sort {
  const char* name;
  Spec (*spec)();
  void (*function)(const Keys&, Trace&);
};

class Sorting : public ::testing::TestWithParam<Sort> {
 protected:
  static Sample sorted(const Scalars& key) {
    return run(GetParam().spec, GetParam().function, {key});
  }
};

/// The nodes from the first to the last along a chain; empty if the pointers are no chain through
/// all of them.
std::vector<int> order_of(const std::vector<int>& pred) {
  const int n = static_cast<int>(pred.size());
  std::vector<int> next(n, -1);
  int start = -1;
  for (int node = 0; node < n; ++node) (pred[node] == node ? start : next[pred[node]]) = node;
  std::vector<int> order;
  for (int node = start; node >= 0 && std::ssize(order) < n; node = next[node])
    order.push_back(node);
  return std::ssize(order) == n ? order : std::vector<int>{};
}

bool ascending(const Scalars& key, const std::vector<int>& order) {
  return std::ranges::is_sorted(order, {}, [&](int node) { return key[node]; });
}

TEST_P(Sorting, LeavesAChainOfAllNodesInAscendingOrder) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto key = random.keys(n);
    const auto order = order_of(pointers(sorted(key), "pred"));
    ASSERT_EQ(std::ssize(order), n);
    EXPECT_TRUE(ascending(key, order));
  });
}

TEST_P(Sorting, ShowsAChainOfAllNodesAtEveryStepAndTheResultAtTheLast) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto sample = sorted(random.keys(n));
    for (int t = 0; t < sample.length(); ++t)
      ASSERT_EQ(std::ssize(order_of(pointers(sample, "pred_h", t))), n) << "step " << t;
    EXPECT_EQ(pointers(sample, "pred_h", sample.length() - 1), pointers(sample, "pred"));
  });
}

TEST_P(Sorting, ShowsThePositionsAndTheKeysAsTheyWereGiven) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto key = random.keys(n);
    const auto sample = sorted(key);
    EXPECT_EQ(scalars(sample, "key"), key);
    EXPECT_EQ(scalars(sample, "pos"), positions(n));
  });
}

INSTANTIATE_TEST_SUITE_P(All, Sorting,
                         ::testing::Values(Sort{"insertion_sort", insertion_sort_spec,
                                                insertion_sort},
                                           Sort{"bubble_sort", bubble_sort_spec, bubble_sort},
                                           Sort{"heapsort", heapsort_spec, heapsort},
                                           Sort{"quicksort", quicksort_spec, quicksort}),
                         [](const auto& sort) { return sort.param.name; });

TEST(InsertionSortLaw, HasSortedTheFirstNodesAndLeftTheOthersWhereTheyWere) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto key = random.keys(n);
    const auto sample = run(insertion_sort_spec, insertion_sort, {key});
    ASSERT_EQ(sample.length(), n);
    std::vector<int> expected(n);
    std::iota(expected.begin(), expected.end(), 0);
    for (int t = 0; t < n; ++t) {  // insertion is stable, so the order is unique
      std::stable_sort(expected.begin(), expected.begin() + t + 1,
                       [&](int a, int b) { return key[a] < key[b]; });
      ASSERT_EQ(order_of(pointers(sample, "pred_h", t)), expected);
      EXPECT_EQ(marked(sample, "j", t), t);
    }
  });
}

TEST(BubbleSortLaw, HasTheSmallestKeysInPlaceAfterEachPass) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto key = random.keys(n);
    const auto sample = run(bubble_sort_spec, bubble_sort, {key});
    ASSERT_EQ(sample.length(), n * (n - 1) / 2 + 1);
    auto ascending_keys = key;
    std::ranges::sort(ascending_keys);
    int t = 0;
    for (int i = 0; i < n - 1; ++i) {
      t += n - 1 - i;
      const auto order = order_of(pointers(sample, "pred_h", t));
      for (int slot = 0; slot <= i; ++slot) ASSERT_EQ(key[order[slot]], ascending_keys[slot]);
      EXPECT_EQ(marked(sample, "i", t), order[i]);
      EXPECT_EQ(marked(sample, "j", t), order[i + 1]);
    }
  });
}

void expect_heap(const Scalars& key, const Sample& sample, int t, int size) {
  const auto order = order_of(pointers(sample, "pred_h", t));
  const auto parent = pointers(sample, "parent", t);
  for (int slot = 0; slot < std::ssize(order); ++slot) {
    const int node = order[slot];
    const bool child = slot > 0 && slot < size;
    ASSERT_EQ(parent[node], child ? order[(slot - 1) / 2] : node) << "step " << t;
    ASSERT_GE(key[parent[node]], key[node]) << "step " << t;
  }
  ASSERT_EQ(marked(sample, "heap_size", t), order[size - 1]);
}

TEST(HeapsortLaw, HasAHeapAfterBuildingAndAfterEachRepair) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto key = random.keys(n);
    const auto sample = run(heapsort_spec, heapsort, {key});
    const auto phase = class_over_time(sample, "phase");
    int size = n;
    for (int t = 0; t < sample.length(); ++t) {
      if (phase[t] == 1) --size;
      const bool settled = t + 1 == sample.length() || phase[t + 1] == 1;
      if (settled) expect_heap(key, sample, t, size);
    }
    EXPECT_EQ(size, 1);
  });
}

TEST(HeapsortLaw, HasTheLargestKeysInPlaceAfterEachExtraction) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto key = random.keys(n);
    const auto sample = run(heapsort_spec, heapsort, {key});
    auto ascending_keys = key;
    std::ranges::sort(ascending_keys);
    int size = n;
    for (int t = 0; t < sample.length(); ++t) {
      if (class_of(sample, "phase", t) == 1) --size;
      const auto order = order_of(pointers(sample, "pred_h", t));
      for (int slot = size; slot < n; ++slot) ASSERT_EQ(key[order[slot]], ascending_keys[slot]);
    }
  });
}

int slot_of(int node, const std::vector<int>& order) {
  return static_cast<int>(std::ranges::find(order, node) - order.begin());
}

TEST(QuicksortLaw, HasTheSmallerKeysBeforeThePivotAndTheLargerOnesBehindIt) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto key = random.keys(n);
    const auto sample = run(quicksort_spec, quicksort, {key});
    for (int t = 0; t < sample.length(); ++t) {
      if (marked(sample, "j", t) != marked(sample, "r", t)) continue;  // still partitioning
      const auto order = order_of(pointers(sample, "pred_h", t));
      const int p = slot_of(marked(sample, "p", t), order);
      const int q = slot_of(marked(sample, "i", t), order);
      const int r = slot_of(marked(sample, "r", t), order);
      ASSERT_LE(p, q);
      ASSERT_LE(q, r);
      for (int slot = p; slot < q; ++slot) ASSERT_LE(key[order[slot]], key[order[q]]);
      for (int slot = q + 1; slot <= r; ++slot) ASSERT_GT(key[order[slot]], key[order[q]]);
    }
  });
}

TEST(QuicksortLaw, NeedsTheMostStepsWhenTheKeysAreSortedAlready) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    auto key = random.keys(n);
    const int most = n * (n + 1) / 2 - 1;  // n records, then n-1, ... down to 2
    EXPECT_LE(run(quicksort_spec, quicksort, {key}).length(), most);
    std::ranges::sort(key);
    EXPECT_EQ(run(quicksort_spec, quicksort, {key}).length(), most);
  });
}

}  // namespace
}  // namespace npq::clrs
