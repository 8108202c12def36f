// The cheapest order of multiplying a chain of matrices: CLRS, 3rd edition, section 15.2.
#include <limits>

#include "npq/clrs/algorithms/algorithms.h"

namespace npq::clrs {

Spec matrix_chain_order_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),
      input("p", node, scalar),
      output("s", edge, pointer).as_float64(),
      hint("pred_h", node, pointer).constant_in_time(),
      hint("m", edge, scalar),
      hint("s_h", edge, pointer).as_float64(),
      hint("msk", edge, mask),
  };
}

namespace {

// Matrix A_i has p[i-1] rows and p[i] columns, so row and column 0 stay unused.
struct ChainTable {
  EdgeScalars m;   // scalar multiplications for A_i..A_j, the best known
  EdgePointers s;  // where that one splits
  EdgeMask msk;    // whether one is known

  explicit ChainTable(int n) : m(n), s(n), msk(n) {
    for (int i = 1; i < n; ++i) msk(i, i) = 1;
  }
};

constexpr double kUnknown = std::numeric_limits<double>::infinity();

/// m where it is known. Symmetric, so that both halves of a product are read along a row.
void copy_known(const ChainTable& table, EdgeScalars& known) {
  const int n = known.nodes();
  for (int i = 1; i < n; ++i)
    for (int j = i; j < n; ++j)
      known(i, j) = known(j, i) = table.msk(i, j) ? table.m(i, j) : kUnknown;
}

/// Lines 9-13 of MATRIX-CHAIN-ORDER for one chain.
void improve(ChainTable& table, const EdgeScalars& known, const Scalars& p, int i, int j) {
  const double* left = &known(i, 0);
  const double* right = &known(j, 0);
  double best = table.msk(i, j) ? table.m(i, j) : kUnknown;
  int split = table.s(i, j);
  for (int k = i; k < j; ++k) {
    const double cost = left[k] + right[k + 1] + p[i - 1] * p[k] * p[j];
    if (cost < best) {
      best = cost;
      split = k;
    }
  }
  if (best == kUnknown) return;
  table.m(i, j) = best;
  table.s(i, j) = split;
  table.msk(i, j) = 1;
}

}  // namespace

// Unlike the book, the benchmark does not go from short chains to long ones: it improves all chains
// at once from the table of the sweep before, until no cost changes.
void matrix_chain_order(const Keys& in, Trace& trace) {
  const auto& p = in.key;
  const int n = static_cast<int>(p.size());
  trace.input({{"pos", positions(n)}, {"p", p}});

  const Pointers pred = constant_chain(n);
  ChainTable table(n);
  EdgeScalars before, known(n);
  for (int sweep = 1; before != table.m; ++sweep) {
    before = table.m;
    copy_known(table, known);
    trace.hint({{"pred_h", pred}, {"m", table.m}, {"s_h", table.s}, {"msk", table.msk}});
    // A chain of L + 1 matrices is made of shorter ones, so it has its final cost after sweep L:
    // looking at it again would change nothing.
    for (int i = 1; i < n; ++i)
      for (int j = i + sweep; j < n; ++j) improve(table, known, p, i, j);
  }
  trace.output({{"s", table.s}});
}

}  // namespace npq::clrs
