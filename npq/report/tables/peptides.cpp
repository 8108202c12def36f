#include "npq/report/tables/peptides.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "npq/report/pages/text.h"
#include "npq/report/tables/paper.h"
#include "npq/report/tables/seeds.h"

namespace npq::report {
namespace {

constexpr const char* kGenerated = "generated";

std::string text(const Statistic& error) {
  if (error.count == 0) return "-";
  if (error.count == 1) return fmt::format("{:.4f}", error.mean);
  return fmt::format("{:.4f} ± {:.4f}", error.mean, error.deviation);
}

Statistic error_of(const Group& group, const char* model = "best") {
  return group.over([&](const Run& run) { return run.test(kOwnTestSet, model); });
}

std::string option(const Group& group, const std::string& name) {
  const auto found = group.first().options.find(name);
  return found == group.first().options.end() ? "" : found->second;
}

/// The paper's methods in its order, then what lacks a memory, then all others by name.
auto method_order(const std::string& method) {
  const auto& paper = paper_peptides().methods;
  const auto place = std::find(paper.begin(), paper.end(), method) - paper.begin();
  const bool with_memory = method.find("NPQ") != method.npos;
  return std::tuple(place, with_memory, method);
}

Table errors_table(const PeptidesReport& report, bool published) {
  std::vector<std::string> methods;
  std::map<std::string, std::map<std::string, const Group*>> cells;  // by processor, by method
  for (const auto* group : report.groups) {
    const auto method = group->first().method();
    if (std::find(methods.begin(), methods.end(), method) == methods.end())
      methods.push_back(method);
    cells[group->first().processor].try_emplace(method, group);
  }
  std::sort(methods.begin(), methods.end(),
            [](const auto& a, const auto& b) { return method_order(a) < method_order(b); });
  Table table{.columns = {{"processor"}}, .rows = {}};
  const auto has_paper = [&](const std::string& method) {
    const auto& known = paper_peptides().methods;
    return published && std::find(known.begin(), known.end(), method) != known.end();
  };
  for (const auto& method : methods) {
    if (!has_paper(method)) {
      table.columns.push_back({method, true});
      continue;
    }
    for (const auto* whose : {"ours", "paper", "difference"})
      table.columns.push_back({fmt::format("{}, {}", method, whose), true});
  }
  for (const auto& [processor, models] : cells) {
    table.rows.push_back({processor});
    auto& row = table.rows.back();
    for (const auto& method : methods) {
      const auto found = models.find(method);
      const auto ours = found == models.end() ? Statistic{} : error_of(*found->second);
      row.push_back(text(ours) + draw_mark(static_cast<std::size_t>(ours.count)));
      if (!has_paper(method)) continue;
      const auto paper = paper_peptides().error(processor, method);
      row.push_back(paper ? text(*paper) : "-");
      row.push_back(paper && ours.count > 0 ? fmt::format("{:+.4f}", ours.mean - paper->mean)
                                            : "-");
    }
  }
  return table;
}

Table twins_table(const PeptidesReport& report) {
  Table table{.columns = {{"model"},
                          {"test error (s.d.)", true},
                          {"its twin without memory"},
                          {"its test error (s.d.)", true},
                          {"difference (s.d.)", true},
                          {"95% over seeds", true},
                          {"seeds", true}},
              .rows = {}};
  for (const auto* group : report.groups) {
    const auto* twin = twin_of(report.groups, *group);
    if (twin == nullptr) continue;
    const auto difference = seed_difference(*group, *twin, {kOwnTestSet, "best"});
    if (!difference) continue;
    const auto& interval = difference->interval;
    table.rows.push_back(
        {group->label, text(difference->score), twin->label, text(difference->other_score),
         fmt::format("{:+.4f}", difference->mean()),
         interval ? fmt::format("[{:+.4f},\u00a0{:+.4f}]", interval->low, interval->high)
                  : "one draw",
         difference->seeds_text()});
  }
  return table;
}

}  // namespace

Table peptides_table(const std::vector<Group>& groups) {
  Table table{.columns = {{"model"},
                          {"molecules"},
                          {"seeds", true},
                          {"epochs", true},
                          {"test error (s.d.)", true}},
              .rows = {}};
  std::vector<const char*> others;  // models beside the best
  for (const auto* model : {"last", "average"}) {
    if (std::ranges::none_of(groups,
                             [&](const Group& group) { return error_of(group, model).count > 0; }))
      continue;
    others.push_back(model);
    table.columns.push_back({fmt::format("{} (s.d.)", model), true});
  }
  for (const auto* name : {"validation error (s.d.)", "parameters", "time"})
    table.columns.push_back({name, true});
  table.columns.push_back({"less than the paper"});
  for (const auto& group : groups) {
    const auto& first = group.first();
    const auto mean = [&](auto figure) { return group.over(figure).mean; };
    std::vector<std::string> row = {
        group.label, first.data.empty() ? "-" : first.data,
        std::to_string(group.runs.size()) + draw_mark(group.runs.size()),
        short_number(mean([](const Run& run) { return std::optional<double>(run.epochs); })),
        text(error_of(group))};
    for (const auto* model : others) row.push_back(text(error_of(group, model)));
    row.push_back(text(group.over(
        [](const Run& run) { return run.best ? std::optional(run.best->value) : std::nullopt; })));
    row.push_back(first.parameters ? grouped_digits(*first.parameters) : "-");
    row.push_back(duration(mean([](const Run& run) { return std::optional(run.seconds); })));
    row.push_back(shortfall(group));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<PeptidesReport> peptides_reports(const std::vector<Group>& groups) {
  std::map<std::string, std::vector<const Group*>> by_data;
  for (const auto& group : groups)
    if (error_of(group).count > 0) by_data[group.first().data].push_back(&group);
  std::vector<PeptidesReport> reports;
  for (auto& [data, models] : by_data) {
    const bool generated = data == kGenerated;
    PeptidesReport report{
        .title = generated ? "Peptides: test error on generated molecules"
                           : fmt::format("Peptides: test error on {}", data.empty() ? "-" : data),
        .note =
            "Mean absolute error of eleven standardised targets, so in standard deviations of a "
            "target, at the epoch of the least validation error; less is better. ",
        .errors = {},
        .twins = {},
        .groups = std::move(models)};
    report.note += generated
                       ? "The molecules are generated, with idealised shapes: these numbers "
                         "cannot be compared with those of Peptides-struct, the paper's among "
                         "them."
                       : "The paper's numbers stand beside ours, if these are its molecules.";
    report.errors = errors_table(report, /*published=*/!generated && !data.empty());
    report.twins = twins_table(report);
    reports.push_back(std::move(report));
  }
  return reports;
}

const Group* twin_of(const std::vector<const Group*>& groups, const Group& of) {
  if (of.first().memory == "none") return nullptr;
  const auto layer = option(of, "layer") == "ref" ? "ref" : "plain";
  for (const auto* group : groups)
    if (group->first().memory == "none" && group->first().processor == of.first().processor &&
        group->first().data == of.first().data && option(*group, "layer") == layer)
      return group;
  return nullptr;
}

std::vector<Group> only_peptides(const std::vector<Group>& groups, bool peptides) {
  std::vector<Group> some;
  for (const auto& group : groups)
    if ((group.first().algorithm == kPeptides) == peptides) some.push_back(group);
  return some;
}

}  // namespace npq::report
