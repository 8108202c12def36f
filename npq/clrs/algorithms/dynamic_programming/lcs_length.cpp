// The longest common subsequence of two strings: CLRS, 3rd edition, section 15.4.
#include <algorithm>

#include "npq/clrs/algorithms/algorithms.h"

namespace npq::clrs {

Spec lcs_length_spec() {
  using namespace spec_words;
  return {
      input("string", node, mask),
      input("pos", node, scalar),
      input("key", node, categorical).of_classes(4),
      output("b", edge, categorical).of_classes(4),
      hint("pred_h", node, pointer).constant_in_time(),
      hint("b_h", edge, categorical).of_classes(4),
      hint("c", edge, scalar),
  };
}

namespace {

// The book's arrows: which smaller problem a cell takes its length from.
enum Arrow : std::uint8_t { Diagonal = 0, Up = 1, Left = 2, NoCell = 3 | kMaskedClass };

// Cell (i, j) of the book's tables lies on the edge from a node i of x to a node j of y.
struct LcsTable {
  Classes key;  // the characters of x, then those of y
  int m, n;     // nodes 0..m-1 are x, nodes m..n-1 are y
  EdgeClasses b;
  EdgeScalars c;

  LcsTable(const std::vector<std::uint8_t>& x, const std::vector<std::uint8_t>& y)
      : key(x),
        m(static_cast<int>(x.size())),
        n(m + static_cast<int>(y.size())),
        b(n, NoCell),
        c(n) {
    key.insert(key.end(), y.begin(), y.end());
    for (int i = 0; i < m; ++i) std::fill(&b(i, m), &b(i, m) + (n - m), Diagonal);
  }

  void set(int i, int j, double length, Arrow arrow) {
    c(i, j) = length;
    b(i, j) = arrow;
  }

  /// The first column and the first row, which have no smaller problem on one side.
  void fill_borders() {
    for (int i = 0; i < m; ++i) {
      if (key[i] == key[m])
        set(i, m, 1, Diagonal);
      else
        set(i, m, i > 0 ? c(i - 1, m) : 0, Up);
    }
    for (int j = m + 1; j < n; ++j) {
      if (key[0] == key[j])
        set(0, j, 1, Diagonal);
      else if (c(0, j - 1) == 1)
        set(0, j, 1, Left);
      else
        set(0, j, 0, Up);
    }
  }

  /// Lines 10-17 of LCS-LENGTH for all other cells, each from the lengths of the sweep before.
  void sweep(const EdgeScalars& before) {
    for (int i = 1; i < m; ++i) {
      for (int j = m + 1; j < n; ++j) {
        if (key[i] == key[j])
          set(i, j, before(i - 1, j - 1) + 1, Diagonal);
        else if (before(i - 1, j) >= before(i, j - 1))
          set(i, j, before(i - 1, j), Up);
        else
          set(i, j, before(i, j - 1), Left);
      }
    }
  }
};

}  // namespace

void lcs_length(const Strings& in, Trace& trace) {
  const auto& [x, y] = in;
  LcsTable table(x, y);
  const auto& [key, m, n, b, c] = table;
  Mask string(n);
  std::fill(string.begin() + m, string.end(), std::int8_t{1});
  trace.input({{"string", string}, {"pos", positions(m, n - m)}, {"key", key}});

  const Pointers pred = constant_chain(m, n - m);
  table.fill_borders();
  EdgeScalars before;
  // Only the lengths decide when to stop: the last sweep may still have turned an arrow of the
  // output.
  while (before != c) {
    before = c;
    trace.hint({{"pred_h", pred}, {"b_h", b}, {"c", c}});
    table.sweep(before);
  }
  trace.output({{"b", b}});
}

}  // namespace npq::clrs
