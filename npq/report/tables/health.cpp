#include "npq/report/tables/health.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "npq/report/pages/text.h"

namespace npq::report {
namespace {

std::optional<double> last_of(const Run& run, const std::string& name) {
  const auto found = run.health.find(name);
  if (found == run.health.end() || found->second.empty()) return std::nullopt;
  return found->second.back().value;
}

/// "5.95 ± 0.21", or "-" if a memory has no such figure.
std::string elements(const Statistic& figure) {
  if (figure.count == 0) return "-";
  if (figure.count == 1) return fmt::format("{:.2f}", figure.mean);
  return fmt::format("{:.2f} ± {:.2f}", figure.mean, figure.deviation);
}

}  // namespace

std::string health_name(const std::string& name) {
  if (name == "alive") return "elements alive";
  if (name == "drained") return "share drained per step";
  if (name == "strength") return "strength left";
  if (name == "saturated") return "share of saturated values";
  if (name == "dead") return "share of pushes without strength";
  if (name == "sure") return "share of pushes at full strength";
  return name;
}

bool is_share(const std::string& name) { return health_name(name).starts_with("share "); }

std::optional<double> drained_in_every_step(const Group& group) {
  constexpr double kNearlyAll = 0.9;
  const auto drained = group.over([](const Run& run) { return last_of(run, "drained"); });
  return drained.mean >= kNearlyAll ? std::optional(drained.mean) : std::nullopt;
}

Table health_table(const std::vector<Group>& groups) {
  std::set<std::string> names;
  for (const auto& group : groups)
    for (const auto* run : group.runs)
      for (const auto& [name, curve] : run->health)
        if (!curve.empty()) names.insert(name);
  Table table{.columns = {{"algorithm"}, {"model"}}, .rows = {}};
  for (const auto& name : names) table.columns.push_back({health_name(name), true});
  for (const auto& group : groups) {
    std::vector<std::string> row = {group.first().algorithm, group.label};
    for (const auto& name : names)
      row.push_back(elements(group.over([&](const Run& run) { return last_of(run, name); })));
    const auto is_there = [](const std::string& cell) { return cell != "-"; };
    if (std::any_of(row.begin() + 2, row.end(), is_there)) table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace npq::report
