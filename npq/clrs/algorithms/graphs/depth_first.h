#pragma once
#include <utility>

#include "npq/clrs/algorithms/graphs/neighbours.h"

// What the depth-first algorithms share. The book recurses; to be shown step by step, the search
// keeps its stack as pointers from each node to the one below it. All of them have this shape, with
// a record after each step:
//
//   search.start(s)
//   do {
//     if (search.undiscovered()) search.discover();
//     if (search.find_white())   search.push();      // v becomes the top of the stack
//     else                       search.finish();    // u has no white neighbour left
//   } while (search.proceed());
namespace npq::clrs {

inline constexpr std::uint8_t kWhite = 0, kGrey = 1, kBlack = 2, kColors = 3;

/// Colours and stack; s, u, v, s_last are the variables of the book that the hints show: the root,
/// the node at work, the neighbour looked at, the top of the stack.
struct DepthFirst {
  explicit DepthFirst(const EdgeScalars& A)
      : neighbours(A), color(A.nodes(), kWhite), s_prev(identity(A.nodes())) {}

  void start(int root) { s = u = v = s_last = root; }

  bool undiscovered() const { return color[u] == kWhite; }
  void discover() { color[u] = kGrey; }

  bool find_white() {
    for (const int w : neighbours.of(u))
      if (color[w] == kWhite) {
        v = w;
        return true;
      }
    return false;
  }

  void push() {
    color[v] = kGrey;
    s_prev[v] = static_cast<std::uint16_t>(s_last);
    s_last = v;
  }

  /// The scan over all v has come to its end, which the hint of v shows.
  void finish() {
    color[u] = kBlack;
    v = static_cast<int>(color.size()) - 1;
  }

  /// Turns to the new top of the stack; false once the root itself is finished. A finished node
  /// leaves the stack only here, after its record.
  bool proceed() {
    if (s_last == u) {
      if (s_prev[u] == u) return false;
      s_last = std::exchange(s_prev[u], static_cast<std::uint16_t>(u));
    }
    u = s_last;
    return true;
  }

  Neighbours neighbours;
  Classes color;
  Pointers s_prev;
  int s = 0, u = 0, v = 0, s_last = 0;
};

/// With the times of discovery and finish. Time goes in steps of 0.01 by repeated addition: its
/// rounding is part of the benchmark.
struct TimedDepthFirst : DepthFirst {
  explicit TimedDepthFirst(const EdgeScalars& A) : DepthFirst(A), d(A.nodes()), f(A.nodes()) {}

  /// A pushed node is grey already, but has no time of discovery yet.
  bool undiscovered() const { return color[u] == kWhite || d[u] == 0; }
  void discover() {
    DepthFirst::discover();
    d[u] = tick();
  }
  void finish() {
    DepthFirst::finish();
    f[u] = tick();
  }

  Scalars d, f;
  double time = 0;

 private:
  double tick() { return time += 0.01; }
};

}  // namespace npq::clrs
