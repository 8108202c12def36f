#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "npq/report/groups.h"

namespace npq::report {

/// Win, tie or loss of every model on one task, by the rule that gives the paper's table of
/// letters: let A be the model of the highest mean, mu and sigma its mean and standard deviation.
/// Models with a mean >= mu - sigma qualify. If only A does, A wins; otherwise they all tie. The
/// rest loses. A blank for a model without a score.
std::string win_letters(std::span<const std::optional<Statistic>> scores);

struct WinCounts {
  int wins = 0, ties = 0, losses = 0;
  void add(char letter);
  std::string text() const;  // "4/16/10"
};

}  // namespace npq::report
