#include "npq/report/tables/verdicts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "npq/report/tables/paired.h"
#include "npq/report/tables/peptides.h"

namespace npq::report {
namespace {

/// The 97.5% point of Student's t; beyond ten a little above it.
double student(std::size_t freedom) {
  constexpr std::array kTable = {12.706, 4.303, 3.182, 2.776, 2.571,
                                 2.447,  2.365, 2.306, 2.262, 2.228};
  return freedom <= kTable.size() ? kTable[freedom - 1] : 1.96 + 2.7 / static_cast<double>(freedom);
}

bool is_finished(const Group& group) {
  return std::all_of(group.runs.begin(), group.runs.end(),
                     [](const Run* run) { return run->finished; });
}

/// What a seed is judged by: its metric on the test set of `size`.
using BySeed = std::map<std::int64_t, double>;

BySeed scores_of(const Group& group, std::int64_t size) {
  BySeed scores;
  for (const auto* run : group.runs)
    if (const auto score = run->test(size, "best")) scores[run->seed.value_or(0)] = *score;
  return scores;
}

double mean_of(const BySeed& scores) {
  std::vector<double> values;
  for (const auto& [unused, score] : scores) values.push_back(score);
  return statistic(values).mean;
}

/// The interval over graphs of the seeds that both have; nothing if single graphs are not known.
std::optional<Interval> interval_over_graphs(const Verdict& verdict, const BySeed& seeds) {
  const auto lists_of = [&](const Group& group) {
    std::vector<std::vector<double>> lists;
    for (const auto* run : group.runs)
      for (const auto& test : run->tests)
        if (seeds.contains(run->seed.value_or(0)) && test.size == verdict.size &&
            test.checkpoint == "best")
          lists.push_back(test.sample_scores);
    return lists;
  };
  const auto found = paired_difference(lists_of(*verdict.model), lists_of(*verdict.other));
  return found ? std::optional(Interval{found->low, found->high}) : std::nullopt;
}

Verdict::Kind kind_of(const Verdict& verdict) {
  if (!verdict.over_seeds) return Verdict::Kind::OneDraw;
  const auto graphs = verdict.over_graphs.value_or(*verdict.over_seeds);
  const bool more = verdict.over_seeds->is_above_zero() && graphs.is_above_zero();
  const bool less = verdict.over_seeds->is_below_zero() && graphs.is_below_zero();
  if (!more && !less) return Verdict::Kind::Open;
  return more != verdict.metric().less_is_better() ? Verdict::Kind::Better : Verdict::Kind::Worse;
}

/// Nothing if one of the two has no score of that size.
std::optional<Verdict> judge(const Group& model, const Group& other, std::int64_t size) {
  auto ours = scores_of(model, size), others = scores_of(other, size);
  if (ours.empty() || others.empty()) return std::nullopt;
  std::vector<double> differences;
  BySeed shared, shared_others;
  for (const auto& [seed, score] : ours) {
    const auto found = others.find(seed);
    if (found == others.end()) continue;
    differences.push_back(score - found->second);
    shared[seed] = score;
    shared_others[seed] = found->second;
  }
  if (!shared.empty()) ours = shared, others = shared_others;
  Verdict verdict{.model = &model,
                  .other = &other,
                  .size = size,
                  .score = mean_of(ours),
                  .other_score = mean_of(others),
                  .over_seeds = interval_over_seeds(differences),
                  .over_graphs = {}};
  verdict.over_graphs = interval_over_graphs(verdict, shared);
  verdict.kind = kind_of(verdict);
  return verdict;
}

}  // namespace

std::optional<Interval> interval_over_seeds(std::span<const double> differences) {
  if (differences.size() < 2) return std::nullopt;
  const auto all = statistic(differences);
  const auto freedom = differences.size() - 1;
  const double reach = student(freedom) * all.deviation / std::sqrt(static_cast<double>(freedom));
  return Interval{all.mean - reach, all.mean + reach};
}

std::optional<std::int64_t> common_size(std::span<const Group* const> groups) {
  std::map<std::int64_t, int> having;
  for (const auto* group : groups) {
    std::set<std::int64_t> sizes;
    for (const auto* run : group->runs)
      for (const auto& test : run->tests)
        if (test.checkpoint == "best") sizes.insert(test.size);
    for (const auto size : sizes) ++having[size];
  }
  std::optional<std::int64_t> common;
  for (const auto& [size, count] : having)
    if (!common || count >= having[*common]) common = size;
  return common;
}

std::vector<Verdict> verdicts(const std::vector<Group>& groups) {
  std::map<std::string, std::vector<const Group*>> tasks;
  for (const auto& group : groups) tasks[group.first().algorithm].push_back(&group);
  std::vector<Verdict> all;
  for (const auto& group : groups) {
    if (group.first().memory == "none") continue;
    const auto& task = tasks[group.first().algorithm];
    const auto* other =
        group.first().algorithm == kPeptides ? twin_of(task, group) : baseline_of(groups, group);
    const auto size = common_size(task);
    if (other == nullptr || !size || !is_finished(group) || !is_finished(*other)) continue;
    if (const auto verdict = judge(group, *other, *size)) all.push_back(*verdict);
  }
  return all;
}

}  // namespace npq::report
