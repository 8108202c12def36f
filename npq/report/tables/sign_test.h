#pragma once
#include <string>
#include <vector>

#include "npq/report/tables/tables.h"

namespace npq::report {

/// How likely a fair coin is to fall at least as unevenly: the two-sided binomial probability of
/// the sign test. Ties do not count.
double sign_test(int wins, int losses);

/// A model against the network without a memory, over the algorithms that both learned.
struct Signs {
  std::string model, other, checkpoint;
  int wins = 0, losses = 0, ties = 0;  // by the mean over the seeds that count
  double p() const { return sign_test(wins, losses); }
  /// "MPNN + NPQ_W is above MPNN on 21 of 30 algorithms and below it on 9 (sign test, p = 0.043)".
  std::string text() const;
};

/// For every model and each of its tests ("best", ...) at the size that most models of an algorithm
/// were tested on. Only models of at least six algorithms: with fewer even the same sign everywhere
/// is within chance. In the order of the models, best first.
std::vector<Signs> signs_of(const std::vector<Group>& groups);

Table signs_table(const std::vector<Signs>& signs);

}  // namespace npq::report
