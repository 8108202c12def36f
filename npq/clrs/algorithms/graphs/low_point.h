#pragma once
#include <algorithm>

#include "npq/clrs/algorithms/graphs/depth_first.h"

namespace npq::clrs {

/// Depth-first search of an undirected graph that also finds low[u], the earliest discovery time
/// that the subtree of u reaches over an edge outside the tree: CLRS, 3rd edition, problem 22-2.
struct LowPointSearch : TimedDepthFirst {
  explicit LowPointSearch(const EdgeScalars& A)
      : TimedDepthFirst(A), pi(identity(A.nodes())), low(A.nodes()) {}

  void discover() {
    TimedDepthFirst::discover();
    low[u] = time;
  }

  /// Every neighbour passed on the way to a white one but the parent lowers low[u], and is
  /// recorded: separately in each scan, so again after the return from each child.
  template <class Record>
  bool find_white(const Record& record) {
    for (const int w : neighbours.of(u)) {
      v = w;
      if (color[v] == kWhite) return true;
      if (v == pi[u]) continue;
      low[u] = std::min(low[u], d[v]);
      record();
    }
    return false;
  }

  void push() {
    pi[v] = static_cast<std::uint16_t>(u);
    TimedDepthFirst::push();
  }

  /// Finishes u; its children hand on their low points, one call of `child` each. A root is its own
  /// parent and so among its children, which changes nothing.
  template <class Child>
  void finish(const Child& child) {
    TimedDepthFirst::finish();
    for (int w = 0; w < static_cast<int>(pi.size()); ++w) {
      if (pi[w] != u) continue;
      low[u] = std::min(low[u], low[w]);
      child(w);
    }
  }

  Pointers pi;
  Scalars low;
};

}  // namespace npq::clrs
