#pragma once
#include <numeric>
#include <utility>
#include <vector>

#include "npq/clrs/trace/arrays.h"

namespace npq::clrs {

/// The array that a sorting algorithm works on: the keys A, with them the node each key came from,
/// and at any moment the chain of these nodes from slot to slot.
struct Sortable {
  Scalars A;
  std::vector<int> ord;  // ord[slot]: the node whose key lies there now
  Pointers pred;         // chain(ord), kept up to date by swap and link

  explicit Sortable(const Scalars& key)
      : A(key), ord(key.size()), pred(constant_chain(static_cast<int>(key.size()))) {
    std::iota(ord.begin(), ord.end(), 0);
  }

  int size() const { return static_cast<int>(A.size()); }
  OneHot at(int slot) const { return one_hot(ord[slot]); }

  void swap(int i, int j) {
    if (i == j) return;
    std::swap(A[i], A[j]);
    std::swap(ord[i], ord[j]);
    for (const int slot : {i, i + 1, j, j + 1})
      if (slot < size()) link(slot);
  }

  /// Lets the node in `slot` point to the one before it; to be called for slots whose neighbourhood
  /// was written.
  void link(int slot) { pred[ord[slot]] = ord[slot == 0 ? 0 : slot - 1]; }
};

}  // namespace npq::clrs
