// The dynamic programming algorithms on the book's examples.
#include <gmock/gmock.h>

#include <numeric>

#include "npq/clrs/algorithms/algorithms.h"
#include "tests/support/run_algorithm.h"

namespace npq::clrs {
namespace {

using namespace npq::test;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::Pointwise;

int known(const Sample& sample, int t) {
  const auto msk = mask(sample, "msk", t);
  return std::accumulate(msk.begin(), msk.end(), 0);
}

// CLRS, figure 15.5: matrices 30x35, 35x15, 15x5, 5x10, 10x20, 20x25.
const Keys kDimensions{{30, 35, 15, 5, 10, 20, 25}};

TEST(MatrixChainOrder, FindsTheBooksCosts) {
  const auto sample = run(matrix_chain_order_spec, matrix_chain_order, kDimensions);
  EXPECT_THAT(scalars(sample, "m", sample.length() - 1),
              ElementsAreArray<double>({0, 0, 0,     0,    0,    0,     0,      //
                                        0, 0, 15750, 7875, 9375, 11875, 15125,  //
                                        0, 0, 0,     2625, 4375, 7125,  10500,  //
                                        0, 0, 0,     0,    750,  2500,  5375,   //
                                        0, 0, 0,     0,    0,    1000,  3500,   //
                                        0, 0, 0,     0,    0,    0,     5000,   //
                                        0, 0, 0,     0,    0,    0,     0}));
}

TEST(MatrixChainOrder, SplitsWhereTheBookSplits) {
  const auto sample = run(matrix_chain_order_spec, matrix_chain_order, kDimensions);
  EXPECT_THAT(pointers(sample, "s"), ElementsAreArray({0, 0, 0, 0, 0, 0, 0,  //
                                                       0, 0, 1, 1, 3, 3, 3,  //
                                                       0, 0, 0, 2, 3, 3, 3,  //
                                                       0, 0, 0, 0, 3, 3, 3,  //
                                                       0, 0, 0, 0, 0, 4, 5,  //
                                                       0, 0, 0, 0, 0, 0, 5,  //
                                                       0, 0, 0, 0, 0, 0, 0}));
}

TEST(MatrixChainOrder, KnowsChainsTwiceAsLongAfterEachSweep) {
  const auto sample = run(matrix_chain_order_spec, matrix_chain_order, kDimensions);
  ASSERT_GE(sample.length(), 4);
  EXPECT_EQ(known(sample, 0), 6);
  EXPECT_EQ(known(sample, 1), 6 + 5);          // two matrices
  EXPECT_EQ(known(sample, 2), 6 + 5 + 4 + 3);  // up to four
  EXPECT_EQ(known(sample, 3), 6 + 5 + 4 + 3 + 2 + 1);
  EXPECT_THAT(scalars(sample, "m", 0), Each(0));
}

// CLRS, figure 15.8: ABCBDAB and BDCABA with A B C D = 0 1 2 3.
const Strings kBookStrings{{0, 1, 2, 1, 3, 0, 1}, {1, 3, 2, 0, 1, 0}};

/// The 7 x 6 cells between the two strings out of the 13 x 13 edges.
template <class T>
std::vector<T> cells(const std::vector<T>& edges) {
  std::vector<T> values;
  for (int i = 0; i < 7; ++i)
    for (int j = 7; j < 13; ++j) values.push_back(edges[i * 13 + j]);
  return values;
}

TEST(LcsLength, FindsTheBooksLengths) {
  const auto sample = run(lcs_length_spec, lcs_length, kBookStrings);
  EXPECT_THAT(cells(scalars(sample, "c", sample.length() - 1)),
              ElementsAreArray<double>({0, 0, 0, 1, 1, 1,  //
                                        1, 1, 1, 1, 2, 2,  //
                                        1, 1, 2, 2, 2, 2,  //
                                        1, 1, 2, 2, 3, 3,  //
                                        1, 2, 2, 2, 3, 3,  //
                                        1, 2, 2, 3, 3, 4,  //
                                        1, 2, 2, 3, 4, 4}));
}

TEST(LcsLength, DrawsTheBooksArrows) {
  const auto sample = run(lcs_length_spec, lcs_length, kBookStrings);
  constexpr int D = 0, U = 1, L = 2;
  EXPECT_THAT(cells(classes(sample, "b")), ElementsAreArray({U, U, U, D, L, D,  //
                                                             D, L, L, U, D, L,  //
                                                             U, U, D, L, U, U,  //
                                                             D, U, U, U, D, L,  //
                                                             U, D, U, U, U, U,  //
                                                             U, U, U, D, U, D,  //
                                                             D, U, U, U, D, U}));
}

TEST(LcsLength, StartsWithTheFirstColumnAndTheFirstRow) {
  const auto sample = run(lcs_length_spec, lcs_length, kBookStrings);
  const auto c = cells(scalars(sample, "c", 0));
  EXPECT_THAT(std::vector<double>(c.begin(), c.begin() + 6), ElementsAre(0, 0, 0, 1, 1, 1));
  EXPECT_THAT(std::vector<double>(c.begin() + 6, c.begin() + 12), ElementsAre(1, 0, 0, 0, 0, 0));
  EXPECT_THAT(mask(sample, "string"), ElementsAre(0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1));
  EXPECT_THAT(pointers(sample, "pred_h"), ElementsAre(0, 0, 1, 2, 3, 4, 5, 7, 7, 8, 9, 10, 11));
}

TEST(LcsLength, TakesEdgesThatAreNoCellsOutOfTheScore) {
  // One character each: the only cell is the edge from node 0 to node 1.
  const auto sample = run(lcs_length_spec, lcs_length, {{2}, {2}});
  EXPECT_THAT(classes(sample, "b"),
              ElementsAre(3 | kMaskedClass, 0, 3 | kMaskedClass, 3 | kMaskedClass));
  EXPECT_THAT(scalars(sample, "c"), ElementsAre(0, 1, 0, 0));
  EXPECT_EQ(sample.length(), 1);
}

// CLRS, figure 15.10: five keys.
const SearchTree kBookTree{.p = {0.15, 0.10, 0.05, 0.10, 0.20},
                           .q = {0.05, 0.10, 0.05, 0.05, 0.05, 0.10}};

TEST(OptimalBst, FindsTheBooksExpectedCosts) {
  const auto sample = run(optimal_bst_spec, optimal_bst, kBookTree);
  ASSERT_EQ(sample.length(), 6);
  EXPECT_THAT(scalars(sample, "e", 5),
              Pointwise(DoubleNear(1e-12), {0.05, 0.45, 0.90, 1.25, 1.75, 2.75,  //
                                            0.00, 0.10, 0.40, 0.70, 1.20, 2.00,  //
                                            0.00, 0.00, 0.05, 0.25, 0.60, 1.30,  //
                                            0.00, 0.00, 0.00, 0.05, 0.30, 0.90,  //
                                            0.00, 0.00, 0.00, 0.00, 0.05, 0.50,  //
                                            0.00, 0.00, 0.00, 0.00, 0.00, 0.10}));
  EXPECT_NEAR(scalars(sample, "w", 5)[5], 1, 1e-12);
}

TEST(OptimalBst, PlacesTheBooksRoots) {
  // The book counts keys from 1, the benchmark from 0: the root of the whole tree is k2, that is 1.
  const auto sample = run(optimal_bst_spec, optimal_bst, kBookTree);
  EXPECT_THAT(pointers(sample, "root"), ElementsAreArray({0, 0, 0, 1, 1, 1,  //
                                                          0, 0, 1, 1, 1, 3,  //
                                                          0, 0, 0, 2, 3, 4,  //
                                                          0, 0, 0, 0, 3, 4,  //
                                                          0, 0, 0, 0, 0, 4,  //
                                                          0, 0, 0, 0, 0, 0}));
}

TEST(OptimalBst, FillsOneDiagonalAStep) {
  const auto sample = run(optimal_bst_spec, optimal_bst, kBookTree);
  EXPECT_THAT((std::vector{known(sample, 0), known(sample, 1), known(sample, 2), known(sample, 5)}),
              ElementsAre(6, 6 + 5, 6 + 5 + 4, 6 + 5 + 4 + 3 + 2 + 1));
  EXPECT_THAT(scalars(sample, "p"), ElementsAre(0.15, 0.10, 0.05, 0.10, 0.20, 0));
}

}  // namespace
}  // namespace npq::clrs
