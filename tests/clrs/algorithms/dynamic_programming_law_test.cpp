// What must hold of the dynamic programming algorithms on any input.
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "npq/clrs/algorithms/algorithms.h"
#include "tests/clrs/algorithms/random_inputs.h"
#include "tests/support/run_algorithm.h"

namespace npq::clrs {
namespace {

using namespace npq::test;

template <class T>
Matrix<T> as_matrix(int nodes, const std::vector<T>& values) {
  Matrix<T> matrix(nodes);
  matrix.values() = values;
  return matrix;
}

Keys dimensions(RandomInputs& random, int n) {
  auto p = random.uniform(n);
  for (double& dimension : p) dimension += 0.01;
  return {p};
}

/// The textbook's table, short chains before long ones.
EdgeScalars cheapest_chains(const Scalars& p) {
  const int n = static_cast<int>(p.size());
  EdgeScalars m(n);
  for (int length = 1; length < n - 1; ++length) {
    for (int i = 1; i + length < n; ++i) {
      const int j = i + length;
      m(i, j) = 1e9;
      for (int k = i; k < j; ++k)
        m(i, j) = std::min(m(i, j), m(i, k) + m(k + 1, j) + p[i - 1] * p[k] * p[j]);
    }
  }
  return m;
}

TEST(MatrixChainOrderLaw, EndsWithTheTextbooksCosts) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto in = dimensions(random, n);
    const auto sample = run(matrix_chain_order_spec, matrix_chain_order, in);
    EXPECT_LE(sample.length(), std::max(1, n - 1));
    EXPECT_EQ(scalars(sample, "m", sample.length() - 1), cheapest_chains(in.key).values());
  });
}

TEST(MatrixChainOrderLaw, SplitsEveryChainSoThatItHasTheLeastCost) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto in = dimensions(random, n);
    const auto& p = in.key;
    const auto sample = run(matrix_chain_order_spec, matrix_chain_order, in);
    const auto s = as_matrix(n, pointers(sample, "s"));
    const auto m = cheapest_chains(p);
    for (int i = 1; i < n; ++i)
      for (int j = i + 1; j < n; ++j) {
        const int k = s(i, j);
        ASSERT_GE(k, i);
        ASSERT_LT(k, j);
        ASSERT_EQ(m(i, k) + m(k + 1, j) + p[i - 1] * p[k] * p[j], m(i, j));
      }
    EXPECT_EQ(pointers(sample, "s"), pointers(sample, "s_h", sample.length() - 1));
  });
}

/// The benchmark's sweep as it is written, every chain every time, no cost carried from m to an
/// unknown chain.
void plain_sweep(const Scalars& p, EdgeScalars& m, Matrix<int>& s, Matrix<int>& msk) {
  const auto m_before = m;
  const auto msk_before = msk;
  const int n = m.nodes();
  for (int i = 1; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      bool have = msk_before(i, j);
      for (int k = i; k < j; ++k) {
        if (!msk_before(i, k) || !msk_before(k + 1, j)) continue;
        msk(i, j) = 1;
        const double cost = m_before(i, k) + m_before(k + 1, j) + p[i - 1] * p[k] * p[j];
        if (have && cost >= m(i, j)) continue;
        m(i, j) = cost;
        s(i, j) = k;
        have = true;
      }
    }
  }
}

TEST(MatrixChainOrderLaw, ShowsWhatSweepsOverAllChainsWouldShow) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const Keys in{random.keys(n)};  // with zeros and ties
    const auto sample = run(matrix_chain_order_spec, matrix_chain_order, in);
    EdgeScalars m(n), before;
    Matrix<int> s(n), msk(n);
    for (int i = 1; i < n; ++i) msk(i, i) = 1;
    int t = 0;
    for (; before != m; ++t) {
      ASSERT_LT(t, sample.length());
      ASSERT_EQ(scalars(sample, "m", t), m.values()) << "step " << t;
      ASSERT_EQ(pointers(sample, "s_h", t), s.values()) << "step " << t;
      ASSERT_EQ(mask(sample, "msk", t), msk.values()) << "step " << t;
      before = m;
      plain_sweep(in.key, m, s, msk);
    }
    EXPECT_EQ(t, sample.length());
    EXPECT_EQ(pointers(sample, "s"), s.values());
  });
}

Strings strings(RandomInputs& random, int n) {
  const int m = 1 + random.below(n - 1);
  Strings in{std::vector<std::uint8_t>(m), std::vector<std::uint8_t>(n - m)};
  for (auto& character : in.first) character = random.below(4);
  for (auto& character : in.second) character = random.below(4);
  return in;
}

/// Tables with a border of zeros, as in the textbook: entry [i][j] is for the first i and j
/// characters.
std::vector<std::vector<double>> common_lengths(const Strings& in) {
  const auto& [x, y] = in;
  std::vector c(x.size() + 1, std::vector<double>(y.size() + 1));
  for (std::size_t i = 1; i <= x.size(); ++i)
    for (std::size_t j = 1; j <= y.size(); ++j)
      c[i][j] = x[i - 1] == y[j - 1] ? c[i - 1][j - 1] + 1 : std::max(c[i - 1][j], c[i][j - 1]);
  return c;
}

TEST(LcsLengthLaw, EndsWithTheTextbooksLengthsAndZeroElsewhere) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto in = strings(random, n);
    const auto sample = run(lcs_length_spec, lcs_length, in);
    const auto lengths = common_lengths(in);
    const int m = static_cast<int>(in.first.size());
    EXPECT_LT(sample.length(), n);
    const auto c = as_matrix(n, scalars(sample, "c", sample.length() - 1));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        ASSERT_EQ(c(i, j), i < m && j >= m ? lengths[i + 1][j - m + 1] : 0) << i << "," << j;
  });
}

TEST(LcsLengthLaw, LeadsAlongItsArrowsThroughALongestCommonSubsequence) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto in = strings(random, n);
    const int m = static_cast<int>(in.first.size());
    const auto b = as_matrix(n, classes(run(lcs_length_spec, lcs_length, in), "b"));
    int found = 0;
    for (int i = m - 1, j = n - 1; i >= 0 && j >= m;) {
      const int arrow = b(i, j);
      ASSERT_LE(arrow, 2);
      if (arrow == 0) {
        ASSERT_EQ(in.first[i], in.second[j - m]);
        ++found;
      }
      if (arrow != 2) --i;
      if (arrow != 1) --j;
    }
    EXPECT_EQ(found, common_lengths(in).back().back());
  });
}

TEST(LcsLengthLaw, MasksExactlyTheEdgesThatAreNoCells) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto in = strings(random, n);
    const auto sample = run(lcs_length_spec, lcs_length, in);
    const int m = static_cast<int>(in.first.size());
    for (int t = 0; t < sample.length(); ++t) {
      const auto b = as_matrix(n, classes(sample, "b_h", t));
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          ASSERT_EQ(b(i, j) == (3 | kMaskedClass), i >= m || j < m) << i << "," << j;
    }
  });
}

SearchTree search_tree(RandomInputs& random, int n) {
  SearchTree in{random.uniform(n - 1), random.uniform(n)};
  const double sum = std::accumulate(in.p.begin(), in.p.end(), 0.0) +
                     std::accumulate(in.q.begin(), in.q.end(), 0.0);
  for (double& p : in.p) p /= sum;
  for (double& q : in.q) q /= sum;
  return in;
}

constexpr double kRounding = 1e-12;  // sums of some hundred terms below 1, in another order

/// The expected number of nodes met in the tree over keys i..j-1 whose roots are given, counted
/// node by node.
double cost_of_tree(const SearchTree& in, const Matrix<int>& root, int i, int j, int depth) {
  if (i == j) return in.q[i] * (depth + 1);
  const int r = root(i, j);
  return in.p[r] * (depth + 1) + cost_of_tree(in, root, i, r, depth + 1) +
         cost_of_tree(in, root, r + 1, j, depth + 1);
}

/// The least such cost by the recursion of equation 15.14, without a table of weights.
EdgeScalars least_costs(const SearchTree& in) {
  const int n = static_cast<int>(in.q.size());
  EdgeScalars e(n);
  for (int i = n - 1; i >= 0; --i) {
    double weight = e(i, i) = in.q[i];
    for (int j = i + 1; j < n; ++j) {
      weight += in.p[j - 1] + in.q[j];
      e(i, j) = 1e9;
      for (int r = i; r < j; ++r) e(i, j) = std::min(e(i, j), e(i, r) + e(r + 1, j) + weight);
    }
  }
  return e;
}

TEST(OptimalBstLaw, EndsWithTheTextbooksExpectedCosts) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto in = search_tree(random, n);
    const auto sample = run(optimal_bst_spec, optimal_bst, in);
    ASSERT_EQ(sample.length(), n);
    const auto e = scalars(sample, "e", n - 1);
    EXPECT_THAT(e,
                ::testing::Pointwise(::testing::DoubleNear(kRounding), least_costs(in).values()));
    EXPECT_NEAR(scalars(sample, "w", n - 1)[n - 1], 1, kRounding);
  });
}

TEST(OptimalBstLaw, BuildsATreeThatHasThisCost) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto in = search_tree(random, n);
    const auto sample = run(optimal_bst_spec, optimal_bst, in);
    const auto root = as_matrix(n, pointers(sample, "root"));
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) {
        ASSERT_GE(root(i, j), i);
        ASSERT_LT(root(i, j), j);
      }
    EXPECT_NEAR(cost_of_tree(in, root, 0, n - 1, 0), scalars(sample, "e", n - 1)[n - 1], kRounding);
  });
}

TEST(OptimalBstLaw, KnowsAtStepTTheSubtreesOfUpToTKeysAndChangesThemNoMore) {
  for_many_sizes(2, [](RandomInputs& random, int n) {
    const auto sample = run(optimal_bst_spec, optimal_bst, search_tree(random, n));
    const auto final_e = as_matrix(n, scalars(sample, "e", n - 1));
    for (int t = 0; t < n; ++t) {
      const auto e = as_matrix(n, scalars(sample, "e", t));
      const auto msk = as_matrix(n, mask(sample, "msk", t));
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const bool due = i <= j && j - i <= t;
          ASSERT_EQ(msk(i, j), due);
          ASSERT_EQ(e(i, j), due ? final_e(i, j) : 0);
        }
    }
    EXPECT_EQ(pointers(sample, "root"), pointers(sample, "root_h", n - 1));
  });
}

}  // namespace
}  // namespace npq::clrs
