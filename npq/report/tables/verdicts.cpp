#include "npq/report/tables/verdicts.h"

#include <algorithm>
#include <map>
#include <set>

#include "npq/report/tables/paired.h"
#include "npq/report/tables/peptides.h"

namespace npq::report {
namespace {

bool is_finished(const Group& group) {
  return std::all_of(group.runs.begin(), group.runs.end(),
                     [](const Run* run) { return run->finished; });
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
  const auto difference = seed_difference(model, other, {size, "best"});
  if (!difference) return std::nullopt;
  Verdict verdict{.model = &model,
                  .other = &other,
                  .size = size,
                  .score = difference->score.mean,
                  .other_score = difference->other_score.mean,
                  .over_seeds = difference->interval,
                  .over_graphs = {}};
  if (const auto graphs = graph_difference(model, other, {size, "best"}, *difference))
    verdict.over_graphs = Interval{graphs->low, graphs->high};
  verdict.kind = kind_of(verdict);
  return verdict;
}

}  // namespace

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
