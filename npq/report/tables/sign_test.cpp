#include "npq/report/tables/sign_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "npq/report/tables/paired.h"
#include "npq/report/tables/verdicts.h"

namespace npq::report {
namespace {

constexpr int kFewestAlgorithms = 6;
constexpr double kTie = 1e-12;  // of a difference of means

std::string probability(double p) { return p < 0.001 ? "p < 0.001" : fmt::format("p = {:.3f}", p); }

}  // namespace

double sign_test(int wins, int losses) {
  const int n = wins + losses, most = std::max(wins, losses);
  double tail = 0;  // of at least `most` heads in n throws
  for (int k = most; k <= n; ++k)
    tail += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) -
                     n * std::log(2.0));
  return std::min(1.0, 2 * tail);
}

std::string Signs::text() const {
  const auto tied = ties == 0 ? "" : fmt::format(", {} tied", ties);
  return fmt::format("{} is above {} on {} of {} algorithms and below it on {}{} (sign test, {})",
                     model, other, wins, wins + losses + ties, losses, tied, probability(p()));
}

std::vector<Signs> signs_of(const std::vector<Group>& groups) {
  std::map<std::string, std::vector<const Group*>> tasks;
  for (const auto& group : groups) tasks[group.first().algorithm].push_back(&group);
  std::vector<Signs> all;
  for (const auto& group : groups) {
    const auto* other = baseline_of(groups, group);
    const auto size = common_size(tasks[group.first().algorithm]);
    if (other == nullptr || other == &group || !size) continue;
    for (const auto& key : group.tests()) {
      const auto difference =
          key.size == *size ? seed_difference(group, *other, key) : std::nullopt;
      if (!difference) continue;
      auto found = std::find_if(all.begin(), all.end(), [&](const Signs& one) {
        return one.model == group.label && one.other == other->label &&
               one.checkpoint == key.checkpoint;
      });
      if (found == all.end())
        found = all.insert(
            found, {.model = group.label, .other = other->label, .checkpoint = key.checkpoint});
      const double mean = difference->mean();
      ++(std::abs(mean) <= kTie ? found->ties : mean > 0 ? found->wins : found->losses);
    }
  }
  std::erase_if(
      all, [](const Signs& one) { return one.wins + one.losses + one.ties < kFewestAlgorithms; });
  return all;
}

Table signs_table(const std::vector<Signs>& signs) {
  Table table{.columns = {{"model"},
                          {"against"},
                          {"test"},
                          {"algorithms", true},
                          {"wins", true},
                          {"losses", true},
                          {"ties", true},
                          {"p", true}},
              .rows = {}};
  for (const auto& one : signs)
    table.rows.push_back({one.model, one.other, one.checkpoint,
                          std::to_string(one.wins + one.losses + one.ties),
                          std::to_string(one.wins), std::to_string(one.losses),
                          std::to_string(one.ties), fmt::format("{:.3f}", one.p())});
  return table;
}

}  // namespace npq::report
