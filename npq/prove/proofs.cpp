#include "npq/prove/proofs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "npq/base/error.h"

namespace npq::prove {
namespace {

using nlohmann::json;

template <class Row, class Claimed>
std::vector<Verdict> verdicts_of(const std::vector<Row>& rows, Claimed claimed) {
  std::vector<Verdict> verdicts;
  for (const auto& row : rows) verdicts.push_back({row.memory, claimed(row.memory), row.holds()});
  return verdicts;
}

json to_json(const PersistenceRow& row) {
  json points = json::array();
  for (const auto& point : row.points)
    points.push_back({{"steps", point.steps},
                      {"moved", point.moved},
                      {"recovered", point.recovered},
                      {"gradient", point.gradient},
                      {"ordinary_gradient", point.ordinary_gradient}});
  return {{"points", points}};
}

json to_json(const EquivarianceRow& row) {
  json cells = json::object();
  for (const auto& cell : row.cells)
    cells[cell.processor] = {{"difference", cell.difference}, {"nodes", cell.nodes}};
  return {{"largest_difference", row.worst().difference}, {"processors", cells}};
}

json to_json(const ReductionRow& row) {
  json checks = json::object();
  for (const auto& check : row.checks)
    checks[std::string(structure_name(check.structure))] = {{"sequences", check.sequences},
                                                            {"operations", check.operations},
                                                            {"mismatches", check.mismatches}};
  return {{"structures", checks}};
}

json to_json(const SupervisionRow& row) {
  json runs = json::array();
  for (const auto& run : row.runs)
    runs.push_back({{"seed", run.seed},
                    {"first", run.first()},
                    {"last", run.last()},
                    {"losses", run.losses},
                    {"gradient_norms", run.gradients}});
  return {{"runs", runs}, {"unreached", row.unreached()}};
}

/// The rows with their verdicts.
template <class Row>
json with_verdicts(const std::vector<Row>& rows, const std::vector<Verdict>& verdicts) {
  json list = json::array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    json row = to_json(rows[i]);
    row["memory"] = verdicts[i].memory;
    row["claimed"] = verdicts[i].claimed;
    row["holds"] = verdicts[i].holds;
    list.push_back(std::move(row));
  }
  return list;
}

}  // namespace

std::optional<std::vector<Verdict>> Proofs::verdicts(Desideratum desideratum) const {
  const auto all = [](std::string_view) { return true; };
  switch (desideratum) {
    case Desideratum::Persistence:
      if (persistence) return verdicts_of(*persistence, is_queue);
      break;
    case Desideratum::Equivariance:
      if (equivariance) return verdicts_of(*equivariance, all);
      break;
    case Desideratum::Reduction:
      if (reduction) return verdicts_of(*reduction, reduction_is_claimed);
      break;
    case Desideratum::Supervision:
      if (supervision) return verdicts_of(*supervision, is_queue);
      break;
  }
  return {};
}

bool Proofs::hold() const {
  return std::all_of(desiderata().begin(), desiderata().end(), [&](const auto& row) {
    const auto found = verdicts(row.desideratum);
    return !found || claims_hold(*found);
  });
}

std::string conclusion(Desideratum desideratum, const std::vector<Verdict>& verdicts) {
  std::vector<std::string> broken, beyond, without;
  std::size_t claimed = 0;
  for (const auto& verdict : verdicts) {
    claimed += verdict.claimed;
    if (verdict.claimed && !verdict.holds) broken.push_back(verdict.memory);
    if (!verdict.claimed) (verdict.holds ? beyond : without).push_back(verdict.memory);
  }
  std::string_view title;
  for (const auto& row : desiderata())
    if (row.desideratum == desideratum) title = row.title;
  std::string line = fmt::format("{}: ", title);
  if (claimed == 0)
    line += "nothing is claimed of these memories";
  else if (broken.empty())
    line += fmt::format("holds for {} of {} memories it is claimed for", claimed, claimed);
  else
    line += fmt::format("FAILS for {} of {} memories it is claimed for ({})", broken.size(),
                        claimed, fmt::join(broken, ", "));
  if (!beyond.empty()) line += fmt::format("; also holds for {}", fmt::join(beyond, ", "));
  if (!without.empty()) line += fmt::format("; not for {}", fmt::join(without, ", "));
  return line;
}

std::string Proofs::conclusion(Desideratum desideratum) const {
  const auto found = verdicts(desideratum);
  NPQ_ASSERT(found.has_value());
  auto line = prove::conclusion(desideratum, *found);
  if (desideratum != Desideratum::Supervision || claims_hold(*found)) return line;
  const auto steps = std::ssize(supervision->front().runs.front().losses);
  const auto usual = ProveOptions().steps;
  if (steps < usual)
    line += fmt::format(
        "; these are {} updates, the default is --steps {}: fewer may not be enough", steps, usual);
  return line;
}

json to_json(const Proofs& proofs) {
  json all = json::object();
  const auto add = [&](Desideratum desideratum, const char* name, const auto& rows) {
    if (!rows) return;
    const auto verdicts = *proofs.verdicts(desideratum);
    all[name] = {{"holds", claims_hold(verdicts)},
                 {"conclusion", proofs.conclusion(desideratum)},
                 {"memories", with_verdicts(*rows, verdicts)}};
  };
  add(Desideratum::Persistence, "persistence", proofs.persistence);
  add(Desideratum::Equivariance, "equivariance", proofs.equivariance);
  add(Desideratum::Reduction, "reduction", proofs.reduction);
  add(Desideratum::Supervision, "supervision", proofs.supervision);
  return all;
}

}  // namespace npq::prove
