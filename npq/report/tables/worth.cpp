#include "npq/report/tables/worth.h"

#include <fmt/format.h>

#include <set>

#include "npq/report/pages/text.h"
#include "npq/report/tables/paired.h"

namespace npq::report {
namespace {

using Lists = std::vector<std::vector<double>>;

std::vector<double> means_of(const Lists& lists) {
  std::vector<double> means;
  for (const auto& list : lists) means.push_back(statistic(list).mean);
  return means;
}

std::set<std::string> ablations_of(const Group& group) {
  std::set<std::string> names;
  for (const auto* run : group.runs)
    for (const auto& test : run->tests)
      for (const auto& [name, unused] : test.ablated) names.insert(name);
  return names;
}

/// A score or an error, and a difference of two.
std::string figure(double value, const Metric& metric) {
  return metric.is_share ? percent(value) : fmt::format("{:.4f}", value);
}
std::string change(double value, const Metric& metric) {
  return metric.is_share ? points(value) : fmt::format("{:+.4f}", value);
}
std::string change(const Interval& interval, const Metric& metric) {
  return fmt::format("[{},\u00a0{}]", change(interval.low, metric), change(interval.high, metric));
}

/// Empty if no seed was tested so.
std::vector<std::string> row_of(const Group& group, const TestKey& key, const std::string& name) {
  Lists whole, ablated;
  for (const auto* run : group.runs) {
    for (const auto& test : run->tests) {
      const auto found = test.ablated.find(name);
      if (test.size != key.size || test.checkpoint != key.checkpoint || found == test.ablated.end())
        continue;
      whole.push_back(test.sample_scores);
      ablated.push_back(found->second);
    }
  }
  if (whole.empty()) return {};
  const auto& metric = group.first().metric();
  const auto with = means_of(whole), without = means_of(ablated);
  // What is lost is positive for scores and for errors.
  const auto& [more, less] =
      metric.less_is_better() ? std::tie(ablated, whole) : std::tie(whole, ablated);
  std::vector<double> lost = means_of(more);
  const auto others = means_of(less);
  for (std::size_t s = 0; s < lost.size(); ++s) lost[s] -= others[s];
  const auto seeds = interval_over_seeds(lost);
  const auto graphs = paired_difference(more, less);
  return {
      group.first().algorithm,
      group.label,
      key.size == kOwnTestSet ? key.checkpoint : fmt::format("{}, {}", key.size, key.checkpoint),
      name,
      figure(statistic(with).mean, metric),
      figure(statistic(without).mean, metric),
      change(statistic(lost).mean, metric),
      seeds ? change(*seeds, metric) : "one draw",
      std::to_string(lost.size()),
      graphs ? change(Interval{graphs->low, graphs->high}, metric) : "-",
      graphs ? fmt::format("{} of {}", graphs->better, graphs->samples) : "-",
      graphs ? std::to_string(graphs->worse) : "-"};
}

}  // namespace

Table worth_table(const std::vector<Group>& groups) {
  Table table{.columns = {{"algorithm"},
                          {"model"},
                          {"test"},
                          {"without"},
                          {"whole", true},
                          {"without it", true},
                          {"lost", true},
                          {"95% over seeds", true},
                          {"seeds", true},
                          {"95% over graphs", true},
                          {"graphs that lose", true},
                          {"that gain", true}},
              .rows = {}};
  for (const auto& group : groups)
    for (const auto& key : group.tests())
      for (const auto& name : ablations_of(group))
        if (auto row = row_of(group, key, name); !row.empty()) table.rows.push_back(std::move(row));
  return table;
}

}  // namespace npq::report
