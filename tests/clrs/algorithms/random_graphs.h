#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "npq/clrs/trace/arrays.h"

// Random graphs for the laws of graph algorithms, and the plainest ways to answer questions about
// them.
namespace npq::test {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int below(int limit) { return static_cast<int>(engine_() % static_cast<unsigned>(limit)); }
  bool chance(double p) { return engine_() < p * 4294967296.0; }
  /// A multiple of 1/64 in (0, 1]: sums of these are exact, and equal weights do occur.
  double weight() { return (1 + below(64)) / 64.0; }

 private:
  std::mt19937 engine_;
};

/// 250 times: law(n, random) with n from 2 to 13 and a generator of its own.
template <class Law>
void for_many_inputs(const Law& law) {
  for (const int n : {2, 3, 5, 8, 13})
    for (int k = 0; k < 50; ++k) {
      SCOPED_TRACE(testing::Message() << "n = " << n << ", input " << k);
      Random random(100 * n + k);
      law(n, random);
    }
}

enum class Kind { Directed, Undirected, Acyclic };

/// From nearly empty to nearly full, self-loops included (but for acyclic graphs).
inline clrs::EdgeScalars random_graph(int n, Kind kind, bool weighted, Random& random) {
  const double p = (1 + random.below(9)) / 10.0;
  std::vector<int> rank(n);
  for (int i = 0; i < n; ++i) rank[i] = i;
  for (int i = n - 1; i > 0; --i) std::swap(rank[i], rank[random.below(i + 1)]);
  clrs::EdgeScalars A(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (kind == Kind::Acyclic && rank[i] >= rank[j]) continue;
      if (kind == Kind::Undirected && j < i)
        A(i, j) = A(j, i);
      else if (random.chance(p))
        A(i, j) = weighted ? random.weight() : 1;
    }
  return A;
}

inline constexpr double kFar = std::numeric_limits<double>::infinity();

/// Distances from s, kFar if there is no path: all edges relaxed until nothing changes.
inline std::vector<double> distances(const clrs::EdgeScalars& A, int s) {
  std::vector<double> d(A.nodes(), kFar);
  d[s] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < A.nodes(); ++i)
      for (int j = 0; j < A.nodes(); ++j)
        if (A(i, j) != 0 && d[i] + A(i, j) < d[j]) {
          d[j] = d[i] + A(i, j);
          changed = true;
        }
  }
  return d;
}

/// How many edges the path from s needs, kFar if there is none.
inline std::vector<double> hops(clrs::EdgeScalars A, int s) {
  for (double& entry : A.values()) entry = entry != 0;
  return distances(A, s);
}

inline int reachable(const clrs::EdgeScalars& A, int s) {
  const auto d = hops(A, s);
  return static_cast<int>(std::count_if(d.begin(), d.end(), [](double v) { return v < kFar; }));
}

/// Connected components of an undirected graph, not counting `without` (-1: all nodes count).
inline int components(const clrs::EdgeScalars& A, int without = -1) {
  clrs::EdgeScalars rest = A;
  for (int i = 0; i < A.nodes() && without >= 0; ++i) rest(i, without) = rest(without, i) = 0;
  int count = 0;
  for (int i = 0; i < A.nodes(); ++i) {
    const auto d = hops(rest, i);
    // Each component is counted at its smallest node.
    count +=
        i != without && std::none_of(d.begin(), d.begin() + i, [](double v) { return v < kFar; });
  }
  return count;
}

}  // namespace npq::test
