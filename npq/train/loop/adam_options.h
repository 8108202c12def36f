#pragma once
#include "npq/base/error.h"

namespace npq::train {

/// Free of torch, shared with the command line.
struct AdamOptions {
  double learning_rate = 1e-3;
  double b1 = 0.9;    // memory of the mean gradient
  double b2 = 0.999;  // memory of the mean squared gradient
  double eps = 1e-8;  // added to the root

  /// Throws a UsageError that names the field, what it holds and what it may hold.
  void validate() const {
    if (!(learning_rate > 0)) {
      throw UsageError("learning_rate is {}; expected more than 0", learning_rate);
    }
    if (!(b1 >= 0 && b1 < 1)) throw UsageError("b1 is {}; expected at least 0, less than 1", b1);
    if (!(b2 >= 0 && b2 < 1)) throw UsageError("b2 is {}; expected at least 0, less than 1", b2);
    if (!(eps > 0)) throw UsageError("eps is {}; expected more than 0", eps);
  }
};

}  // namespace npq::train
