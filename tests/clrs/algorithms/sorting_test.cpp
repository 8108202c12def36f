// The sorting algorithms on arrays small enough to follow by hand.
#include <gmock/gmock.h>

#include "npq/clrs/algorithms/algorithms.h"
#include "tests/support/run_algorithm.h"

namespace npq::clrs {
namespace {

using namespace npq::test;
using ::testing::Each;
using ::testing::ElementsAre;

std::vector<int> first(int count, std::vector<int> values) {
  values.resize(count);
  return values;
}

TEST(InsertionSort, InsertsTheBooksCardsOneByOne) {
  // CLRS, figure 2.2. The slots hold nodes 1 0 2 3 4 5, then 1 2 0 3 4 5, the same, 4 1 2 0 3 5, 4
  // 1 5 2 0 3.
  const auto sample = run(insertion_sort_spec, insertion_sort, {.key = {5, 2, 4, 6, 1, 3}});
  ASSERT_EQ(sample.length(), 6);
  EXPECT_THAT(pointers(sample, "pred_h", 0), ElementsAre(0, 0, 1, 2, 3, 4));
  EXPECT_THAT(pointers(sample, "pred_h", 1), ElementsAre(1, 1, 0, 2, 3, 4));
  EXPECT_THAT(pointers(sample, "pred_h", 2), ElementsAre(2, 1, 1, 0, 3, 4));
  EXPECT_THAT(pointers(sample, "pred_h", 3), ElementsAre(2, 1, 1, 0, 3, 4));
  EXPECT_THAT(pointers(sample, "pred_h", 4), ElementsAre(2, 4, 1, 0, 4, 3));
  EXPECT_THAT(pointers(sample, "pred", 0), ElementsAre(2, 4, 5, 0, 4, 1));
}

TEST(InsertionSort, ShowsWhichNodeGaveItsPlaceToWhich) {
  const auto sample = run(insertion_sort_spec, insertion_sort, {.key = {5, 2, 4, 6, 1, 3}});
  EXPECT_THAT(marked_over_time(sample, "i"), ElementsAre(0, 0, 0, 3, 1, 2));  // 6 stays: itself
  EXPECT_THAT(marked_over_time(sample, "j"), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(BubbleSort, ComparesNeighboursFromTheEndAndMarksThemAfterTheSwap) {
  // 3 1 2: 2 and 1 stay, 1 and 3 swap (nodes 1 0 2); then 2 and 3 swap (nodes 1 2 0).
  const auto sample = run(bubble_sort_spec, bubble_sort, {.key = {3, 1, 2}});
  ASSERT_EQ(sample.length(), 4);
  EXPECT_THAT(pointers(sample, "pred_h", 1), ElementsAre(0, 0, 1));
  EXPECT_THAT(pointers(sample, "pred_h", 2), ElementsAre(1, 1, 0));
  EXPECT_THAT(pointers(sample, "pred_h", 3), ElementsAre(2, 1, 1));
  EXPECT_THAT(pointers(sample, "pred"), ElementsAre(2, 1, 1));
  EXPECT_THAT(marked_over_time(sample, "i"), ElementsAre(0, 0, 1, 2));
  EXPECT_THAT(marked_over_time(sample, "j"), ElementsAre(0, 2, 0, 0));
}

TEST(Heapsort, BuildsAHeapThenTakesTheLargestOutAgainAndAgain) {
  // 1 3 2 becomes the heap 3 1 2 (nodes 1 0 2); 3 goes to the end (2 0 1), then 2 before it (0 2
  // 1).
  const auto sample = run(heapsort_spec, heapsort, {.key = {1, 3, 2}});
  ASSERT_EQ(sample.length(), 9);
  EXPECT_THAT(class_over_time(sample, "phase"), ElementsAre(0, 0, 0, 0, 0, 1, 2, 1, 2));
  EXPECT_THAT(marked_over_time(sample, "i"), ElementsAre(2, 2, 1, 1, 1, 2, 1, 0, 2));
  EXPECT_THAT(marked_over_time(sample, "j"), ElementsAre(2, 2, 1, 1, 0, 1, 2, 2, 0));
  EXPECT_THAT(marked_over_time(sample, "largest"), ElementsAre(2, 2, 1, 0, 0, 0, 2, 0, 0));
  EXPECT_THAT(marked_over_time(sample, "heap_size"), ElementsAre(2, 2, 2, 2, 2, 0, 0, 0, 0));
  EXPECT_THAT(pointers(sample, "pred"), ElementsAre(0, 2, 0));
}

TEST(Heapsort, PointsEachNodeToItsParentWhileItIsInTheHeap) {
  const auto sample = run(heapsort_spec, heapsort, {.key = {1, 3, 2}});
  ASSERT_EQ(sample.length(), 9);
  EXPECT_THAT(pointers(sample, "parent", 0), ElementsAre(0, 0, 0));
  EXPECT_THAT(pointers(sample, "parent", 4), ElementsAre(1, 1, 1));
  EXPECT_THAT(pointers(sample, "parent", 5), ElementsAre(2, 1, 2));  // node 1 is out
  EXPECT_THAT(pointers(sample, "parent", 8), ElementsAre(0, 1, 2));  // the heap is node 0 alone
}

TEST(Quicksort, PartitionsTheBooksArrayAroundFour) {
  // CLRS, figure 7.1: 2 8 7 1 3 5 6 4 becomes 2 1 3 4 7 5 6 8, that is nodes 0 3 4 7 2 5 6 1.
  const auto sample = run(quicksort_spec, quicksort, {.key = {2, 8, 7, 1, 3, 5, 6, 4}});
  ASSERT_GE(sample.length(), 8);
  EXPECT_THAT(first(8, marked_over_time(sample, "p")), Each(0));
  EXPECT_THAT(first(8, marked_over_time(sample, "r")), ElementsAre(7, 7, 7, 7, 7, 7, 7, 1));
  EXPECT_THAT(first(8, marked_over_time(sample, "i")), ElementsAre(1, 1, 1, 2, 1, 1, 1, 7));
  EXPECT_THAT(first(8, marked_over_time(sample, "j")), ElementsAre(0, 1, 2, 1, 2, 5, 6, 1));
  EXPECT_THAT(pointers(sample, "pred_h", 7), ElementsAre(0, 6, 7, 0, 3, 2, 5, 4));
}

TEST(Quicksort, GoesOnWithTheLeftPartAndThenTheRight) {
  // After 4: 2 1 3 (3 records), 2 1 (2), then 7 5 6 8 (4), 7 5 6 (3); single elements are not
  // shown.
  const auto sample = run(quicksort_spec, quicksort, {.key = {2, 8, 7, 1, 3, 5, 6, 4}});
  EXPECT_EQ(sample.length(), 8 + 3 + 2 + 4 + 3);
  EXPECT_EQ(marked(sample, "r", 8), 4);   // the last of 2 1 3 is node 4
  EXPECT_EQ(marked(sample, "p", 13), 2);  // 7 5 6 8 starts with node 2
  EXPECT_THAT(pointers(sample, "pred"), ElementsAre(3, 2, 6, 3, 0, 7, 5, 4));
}

}  // namespace
}  // namespace npq::clrs
