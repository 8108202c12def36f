// The laws at sizes far beyond the benchmark's.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <queue>

#include "npq/clrs/dataset/dataset.h"

namespace npq::clrs {
namespace {

/// Distances by a binary heap: another algorithm than the traced one.
std::vector<double> distances(std::span<const double> A, int n, int source) {
  std::vector<double> d(n, INFINITY);
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  d[source] = 0;
  queue.push({0, source});
  while (!queue.empty()) {
    const auto [distance, u] = queue.top();
    queue.pop();
    if (distance > d[u]) continue;
    for (int v = 0; v < n; ++v) {
      const double w = A[static_cast<std::size_t>(u) * n + v];
      if (w == 0 || distance + w >= d[v]) continue;
      d[v] = distance + w;
      queue.push({d[v], v});
    }
  }
  return d;
}

TEST(LargeGraphs, DijkstraOn1024NodesFindsShortestPaths) {
  const int n = 1024;
  const auto dataset = generate(find_algorithm("dijkstra"), {.seed = 3, .length = n, .samples = 1});
  const Sample& sample = dataset.samples[0];
  const int source = sample.series("s").frame<std::uint16_t>(0)[0];
  const auto expected = distances(sample.series("A").frame<double>(0), n, source);
  const auto found = sample.series("d").frame<double>(sample.length() - 1);
  for (int v = 0; v < n; ++v)
    ASSERT_DOUBLE_EQ(found[v], std::isinf(expected[v]) ? 0 : expected[v]) << v;
  EXPECT_EQ(sample.length(), n + 1);
}

TEST(LargeGraphs, KruskalOn256NodesFindsAForestOfLeastWeight) {
  const int n = 256;
  const auto dataset =
      generate(find_algorithm("mst_kruskal"), {.seed = 3, .length = n, .samples = 1});
  const Sample& sample = dataset.samples[0];
  const auto A = sample.series("A").frame<double>(0);
  const auto in_mst = sample.series("in_mst").frame<std::int8_t>(0);
  double found = 0;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) found += in_mst[i * n + j] * A[i * n + j];

  // Prim from every component's first node.
  double expected = 0;
  std::vector<double> key(n, INFINITY);
  std::vector<bool> done(n);
  for (int turn = 0; turn < n; ++turn) {
    int u = -1;
    for (int v = 0; v < n; ++v)
      if (!done[v] && (u < 0 || key[v] < key[u])) u = v;
    done[u] = true;
    if (!std::isinf(key[u])) expected += key[u];
    for (int v = 0; v < n; ++v)
      if (A[u * n + v] != 0 && !done[v]) key[v] = std::min(key[v], A[u * n + v]);
  }
  EXPECT_NEAR(found, expected, 1e-9);  // the same weights in another order
}

}  // namespace
}  // namespace npq::clrs
