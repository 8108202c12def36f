#include "npq/report/tables/paired.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "npq/base/percentile.h"
#include "npq/base/split_mix.h"
#include "npq/report/pages/text.h"

namespace npq::report {
namespace {

constexpr int kResamples = 1000;

/// Sample by sample, the mean over seeds; empty if the lists do not fit together.
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

/// One list of scores per seed; what has no seed counts as 0.
using ScoresBySeed = std::map<std::int64_t, std::vector<double>>;

ScoresBySeed scores_of(const Group& group, const TestKey& key) {
  ScoresBySeed scores;
  for (const auto* run : group.runs)
    for (const auto& test : run->tests)
      if (test.size == key.size && test.checkpoint == key.checkpoint && !test.sample_scores.empty())
        scores[run->seed.value_or(0)] = test.sample_scores;
  return scores;
}

ScoresBySeed only_seeds_of(const ScoresBySeed& other, ScoresBySeed scores) {
  std::erase_if(scores, [&](const auto& one) { return !other.contains(one.first); });
  return scores;
}

std::vector<std::vector<double>> lists_of(const ScoresBySeed& scores) {
  std::vector<std::vector<double>> lists;
  for (const auto& [unused, list] : scores) lists.push_back(list);
  return lists;
}

std::string seeds_text(const ScoresBySeed& scores) {
  std::vector<std::int64_t> seeds;
  for (const auto& [seed, unused] : scores) seeds.push_back(seed);
  return fmt::format("{}", fmt::join(seeds, ", "));
}

/// Models may be compared that learned the same task equally long.
bool same_training(const Run& a, const Run& b) {
  return a.algorithm == b.algorithm && a.processor == b.processor && a.steps_asked == b.steps_asked;
}

/// How many options have the same value in both.
int shared_options(const Run& a, const Run& b) {
  return static_cast<int>(
      std::count_if(a.options.begin(), a.options.end(), [&](const auto& option) {
        const auto found = b.options.find(option.first);
        return found != b.options.end() && found->second == option.second;
      }));
}

std::string signed_percent(double share) { return fmt::format("{:+.2f}", share * 100); }

constexpr std::size_t kTestColumn = 3;

/// A row of the table; empty if the two have no such test in common.
std::vector<std::string> row_of(const Group& group, const Group& other, const TestKey& key) {
  const auto all = scores_of(group, key), all_others = scores_of(other, key);
  auto scores = only_seeds_of(all_others, all), others = only_seeds_of(all, all_others);
  auto seeds = seeds_text(scores);
  if (scores.empty()) {
    scores = all, others = all_others;
    seeds = fmt::format("{} against {}", seeds_text(scores), seeds_text(others));
  }
  const auto found = paired_difference(lists_of(scores), lists_of(others));
  if (!found) return {};
  return {group.first().algorithm,
          group.label,
          other.label,
          fmt::format("{}, {}", key.size, key.checkpoint),
          signed_percent(found->mean),
          fmt::format("[{},\u00a0{}]", signed_percent(found->low), signed_percent(found->high)),
          fmt::format("{} of {}", found->better, found->samples),
          std::to_string(found->worse),
          seeds};
}

/// One row for each test that both have; where the best model is the last one, one for both.
void add_rows(Table& table, const Group& group, const Group& other) {
  std::optional<TestKey> before;
  for (const auto& key : group.tests()) {
    auto row = row_of(group, other, key);
    if (row.empty()) continue;
    if (before && before->size == key.size) {
      auto& same = table.rows.back();
      if (std::equal(row.begin() + kTestColumn + 1, row.end(), same.begin() + kTestColumn + 1)) {
        same[kTestColumn] =
            fmt::format("{}, {} and {}", key.size, before->checkpoint, key.checkpoint);
        continue;
      }
    }
    table.rows.push_back(std::move(row));
    before = key;
  }
}

}  // namespace

std::optional<PairedDifference> paired_difference(std::span<const std::vector<double>> scores,
                                                  std::span<const std::vector<double>> others) {
  auto differences = over_seeds(scores);
  const auto other = over_seeds(others);
  if (differences.empty() || differences.size() != other.size()) return std::nullopt;
  PairedDifference result{.samples = static_cast<int>(differences.size())};
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
      mean += differences[split_mix(random) % differences.size()];
    mean /= static_cast<double>(differences.size());
  }
  result.low = percentile(means, 0.025);
  result.high = percentile(means, 0.975);
  return result;
}

const Group* baseline_of(const std::vector<Group>& groups, const Group& of) {
  const auto rank = [&](const Group& group) {
    return std::pair(group.first().method() == "Baseline",
                     shared_options(group.first(), of.first()));
  };
  const Group* found = nullptr;
  for (const auto& group : groups) {
    if (!same_training(group.first(), of.first()) || group.first().memory != "none") continue;
    if (found == nullptr || rank(group) > rank(*found)) found = &group;
  }
  return found;
}

const Group* plain_form_of(const std::vector<Group>& groups, const Group& of) {
  const auto& run = of.first();
  const auto name = paper_name(run.memory);
  if (run.memory == "none" || run.method() == name) return nullptr;
  for (const auto& group : groups)
    if (same_training(group.first(), run) && group.first().memory == run.memory &&
        group.first().method() == name)
      return &group;
  return nullptr;
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
    for (const auto* other : {baseline_of(groups, group), plain_form_of(groups, group)}) {
      if (other != nullptr && other != &group) add_rows(table, group, *other);
    }
  }
  return table;
}

}  // namespace npq::report
