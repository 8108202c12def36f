#include "npq/report/tables/wins.h"

#include <fmt/format.h>

#include <algorithm>

namespace npq::report {

std::string win_letters(std::span<const std::optional<Statistic>> scores) {
  const Statistic* best = nullptr;
  for (const auto& score : scores)
    if (score && (best == nullptr || score->mean > best->mean)) best = &*score;
  std::string letters(scores.size(), ' ');
  if (best == nullptr) return letters;
  // Printed numbers have two decimals; their difference may lack the last bits.
  const double limit = best->mean - best->deviation - 1e-9;
  const auto is_in = [&](const auto& score) { return score && score->mean >= limit; };
  const auto in = std::count_if(scores.begin(), scores.end(), is_in);
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (scores[i]) letters[i] = !is_in(scores[i]) ? 'L' : in == 1 ? 'W' : 'T';
  return letters;
}

void WinCounts::add(char letter) {
  wins += letter == 'W';
  ties += letter == 'T';
  losses += letter == 'L';
}

std::string WinCounts::text() const { return fmt::format("{}/{}/{}", wins, ties, losses); }

}  // namespace npq::report
