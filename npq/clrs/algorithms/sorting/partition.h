#pragma once
#include "npq/clrs/algorithms/sorting/sortable.h"

namespace npq::clrs {

/// PARTITION of CLRS, 3rd edition, section 7.1: puts A[r] where it belongs among A[p..r] and
/// returns that slot. Calls record(i, j) after each j, slots p..i holding what is not larger than
/// the pivot, and with j = r when all is done.
template <class Record>
int partition(Sortable& array, int p, int r, const Record& record) {
  const double x = array.A[r];                // line 1
  int i = p - 1;                              // line 2
  for (int j = p; j < r; ++j) {               // line 3
    if (array.A[j] <= x) array.swap(++i, j);  // lines 4-6
    record(i, j);
  }
  array.swap(i + 1, r);  // line 7
  record(i, r);
  return i + 1;  // line 8
}

}  // namespace npq::clrs
