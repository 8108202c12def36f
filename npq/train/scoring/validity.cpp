#include "npq/train/scoring/validity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "npq/base/error.h"

namespace npq::train {
namespace {

constexpr std::array<std::string_view, 4> kWithParents = {"dijkstra", "bellman_ford",
                                                          "dag_shortest_paths", "bfs"};
constexpr double kNoPath = std::numeric_limits<double>::infinity();
constexpr double kTolerance = 1e-9;

clrs::EdgeScalars unweighted(clrs::EdgeScalars A) {
  for (double& weight : A.values()) weight = weight != 0;
  return A;
}

bool agree(double to_parent, double edge, double to_node) {
  const double scale = std::max({std::abs(to_parent), std::abs(edge), std::abs(to_node)});
  return std::abs(to_parent + edge - to_node) <= kTolerance * scale;
}

}  // namespace

bool has_many_answers(std::string_view algorithm) {
  return std::find(kWithParents.begin(), kWithParents.end(), algorithm) != kWithParents.end();
}

std::vector<double> distances(const clrs::EdgeScalars& A, int s) {
  const int n = A.nodes();
  std::vector<double> d(n, kNoPath);
  d[s] = 0;
  bool changed = true;
  for (int round = 0; changed; ++round) {
    if (round > n) throw Error("the graph has a cycle of negative weight, so no path is shortest");
    changed = false;
    for (int u = 0; u < n; ++u) {
      if (d[u] == kNoPath) continue;
      for (int v = 0; v < n; ++v) {
        if (A(u, v) == 0 || d[u] + A(u, v) >= d[v]) continue;
        d[v] = d[u] + A(u, v);
        changed = true;
      }
    }
  }
  return d;
}

std::vector<int> valid_parents(std::string_view algorithm, const clrs::EdgeScalars& A, int s,
                               const std::vector<double>& parent) {
  NPQ_ASSERT(has_many_answers(algorithm) && parent.size() == static_cast<std::size_t>(A.nodes()));
  const auto weights = algorithm == "bfs" ? unweighted(A) : A;
  const auto d = distances(weights, s);
  std::vector<int> valid(parent.size());
  for (int i = 0; i < A.nodes(); ++i) {
    const int p = static_cast<int>(parent[i]);
    if (i == s || d[i] == kNoPath) {
      valid[i] = p == i;
    } else {
      valid[i] =
          p != i && weights(p, i) != 0 && d[p] != kNoPath && agree(d[p], weights(p, i), d[i]);
    }
  }
  return valid;
}

}  // namespace npq::train
