#include "npq/report/tables/paired.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

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

/// The scores of a model on single samples, a list for each of the seeds.
std::vector<std::vector<double>> lists_of(const Group& group, const TestKey& key,
                                          const std::vector<std::int64_t>& seeds) {
  std::vector<std::vector<double>> lists;
  for (const auto* run : group.runs)
    for (const auto& test : run->tests)
      if (test.size == key.size && test.checkpoint == key.checkpoint &&
          std::ranges::count(seeds, run->seed.value_or(0)) > 0)
        lists.push_back(test.sample_scores);
  return lists;
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

constexpr std::size_t kTestColumn = 3, kGraphsColumn = 7;

/// A row of the table; empty if the two have no such test in common.
std::vector<std::string> row_of(const Group& group, const Group& other, const TestKey& key) {
  const auto seeds = seed_difference(group, other, key);
  if (!seeds) return {};
  const auto graphs = graph_difference(group, other, key, *seeds);
  std::vector<std::string> row = {group.first().algorithm,
                                  group.label,
                                  other.label,
                                  fmt::format("{}, {}", key.size, key.checkpoint),
                                  points(seeds->mean()),
                                  seeds->interval ? points(*seeds->interval) : "one draw",
                                  seeds->seeds_text(),
                                  "-",
                                  "-",
                                  "-"};
  if (graphs) {
    row[kGraphsColumn] = points({graphs->low, graphs->high});
    row[kGraphsColumn + 1] = fmt::format("{} of {}", graphs->better, graphs->samples);
    row[kGraphsColumn + 2] = std::to_string(graphs->worse);
  }
  return row;
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

std::optional<PairedDifference> graph_difference(const Group& model, const Group& other,
                                                 const TestKey& key, const SeedDifference& seeds) {
  return paired_difference(lists_of(model, key, seeds.seeds),
                           lists_of(other, key, seeds.other_seeds));
}

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
                          {"95% over seeds", true},
                          {"seeds", true},
                          {"95% over graphs", true},
                          {"graphs better", true},
                          {"worse", true}},
              .rows = {}};
  for (const auto& group : groups) {
    for (const auto* other : {baseline_of(groups, group), plain_form_of(groups, group)}) {
      if (other != nullptr && other != &group) add_rows(table, group, *other);
    }
  }
  return table;
}

}  // namespace npq::report
