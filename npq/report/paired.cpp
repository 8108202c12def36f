#include "npq/report/paired.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

#include "npq/report/text.h"

namespace npq::report {
namespace {

constexpr int kResamples = 1000;

/// splitmix64: enough to draw samples, and the same on every machine.
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15u;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

double percentile(const std::vector<double>& sorted, double share) {
  const double rank = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(rank));
  const auto above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (rank - std::floor(rank)) * (sorted[above] - sorted[below]);
}

/// Sample by sample, the mean over seeds; empty where the lists do not fit together.
std::vector<double> over_seeds(std::span<const std::vector<double>> scores) {
  if (scores.empty()) return {};
  std::vector<double> means(scores.front().size());
  for (const auto& one : scores) {
    if (one.size() != means.size()) return {};
    for (std::size_t i = 0; i < one.size(); ++i)
      means[i] += one[i] / static_cast<double>(scores.size());
  }
  return means;
}

using TestKey = std::pair<std::int64_t, std::string>;

std::vector<std::vector<double>> scores_of(const Group& group, const TestKey& key) {
  std::vector<std::vector<double>> scores;
  for (const auto* run : group.runs)
    for (const auto& test : run->tests)
      if (test.size == key.first && test.checkpoint == key.second && !test.sample_scores.empty())
        scores.push_back(test.sample_scores);
  return scores;
}

std::set<TestKey> tests_of(const Group& group) {
  std::set<TestKey> keys;
  for (const auto* run : group.runs)
    for (const auto& test : run->tests) keys.insert({test.size, test.checkpoint});
  return keys;
}

std::string signed_percent(double share) { return fmt::format("{:+.2f}", share * 100); }

}  // namespace

std::optional<PairedDifference> paired_difference(std::span<const std::vector<double>> scores,
                                                  std::span<const std::vector<double>> others) {
  auto differences = over_seeds(scores);
  const auto other = over_seeds(others);
  if (differences.empty() || differences.size() != other.size()) return std::nullopt;
  PairedDifference result{.samples = static_cast<int>(differences.size()),
                          .seeds = static_cast<int>(scores.size()),
                          .other_seeds = static_cast<int>(others.size())};
  for (std::size_t i = 0; i < differences.size(); ++i) {
    differences[i] -= other[i];
    result.better += differences[i] > 1e-12;
    result.worse += differences[i] < -1e-12;
  }
  result.mean = statistic(differences).mean;
  std::vector<double> means(kResamples);
  std::uint64_t random = 1;
  for (auto& mean : means) {
    for (std::size_t i = 0; i < differences.size(); ++i)
      mean += differences[next_random(random) % differences.size()];
    mean /= static_cast<double>(differences.size());
  }
  std::sort(means.begin(), means.end());
  result.low = percentile(means, 0.025);
  result.high = percentile(means, 0.975);
  return result;
}

const Group* baseline_of(const std::vector<Group>& groups, const Group& of) {
  const Group* found = nullptr;
  for (const auto& group : groups) {
    if (group.first().algorithm != of.first().algorithm ||
        group.first().processor != of.first().processor || group.first().memory != "none")
      continue;
    if (found == nullptr ||
        (found->first().method() != "Baseline" && group.first().method() == "Baseline"))
      found = &group;
  }
  return found;
}

Table paired_table(const std::vector<Group>& groups) {
  Table table{.columns = {{"algorithm"},
                          {"model"},
                          {"against"},
                          {"test"},
                          {"difference", true},
                          {"95%", true},
                          {"graphs better", true},
                          {"worse", true},
                          {"seeds"}},
              .rows = {}};
  for (const auto& group : groups) {
    const auto* baseline = baseline_of(groups, group);
    if (baseline == nullptr || baseline == &group) continue;
    for (const auto& key : tests_of(group)) {
      const auto found = paired_difference(scores_of(group, key), scores_of(*baseline, key));
      if (!found) continue;
      table.rows.push_back(
          {group.first().algorithm, group.label, baseline->label,
           fmt::format("{}, {}", key.first, key.second), signed_percent(found->mean),
           fmt::format("[{},\u00a0{}]", signed_percent(found->low), signed_percent(found->high)),
           fmt::format("{} of {}", found->better, found->samples), std::to_string(found->worse),
           fmt::format("{} and {}", found->seeds, found->other_seeds)});
    }
  }
  return table;
}

}  // namespace npq::report
