#pragma once
#include <string>
#include <vector>

#include "npq/clrs/dataset/dataset.h"

namespace npq::clrs {

enum class Agreement {
  Exact,  // every hash is equal
  Sums,   // x, y, atans of the hull algorithms, which depend on the C library: sums within 1e-9
  Differs,
};

struct ArrayCheck {
  std::string name;  // "hint/pi_h", or "length" for the trajectory lengths
  Agreement agreement;
  std::string detail;  // empty if exact: what was expected, what was found
};

struct SplitCheck {
  const Algorithm* algorithm;
  Split split;
  std::vector<ArrayCheck> arrays;
  int matching() const;  // exact or by sums
};

/// Compares a dataset with what is known of the official split of that algorithm, array by array.
SplitCheck verify_split(const Dataset& dataset, Split split);

/// Generates and compares `splits` of `algorithms`, on `threads` threads.
std::vector<SplitCheck> verify(const std::vector<const Algorithm*>& algorithms, int threads = 0,
                               const Progress& progress = {});

}  // namespace npq::clrs
