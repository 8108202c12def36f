// npq experiment list: the experiments in the program.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/experiment/experiment_options.h"
#include "app/table.h"
#include "app/terminal.h"
#include "npq/experiment/catalog.h"
#include "npq/experiment/plan.h"

namespace npq::app {
namespace {

nlohmann::json as_json(const experiment::Experiment& one, const experiment::Plan& plan) {
  std::vector<std::string> models;
  std::map<std::string, std::string> why;
  for (const auto& run : plan.runs) {
    if (run.seed == one.seeds.front()) models.push_back(run.model());
    if (!run.why.empty()) why[run.method] = run.why;
  }
  return {{"name", one.name},         {"title", one.title}, {"about", one.about},
          {"seeds", one.seeds},       {"steps", one.steps}, {"sizes", one.tests.sizes},
          {"runs", plan.runs.size()}, {"models", models},   {"why", why}};
}

/// One experiment and why each of its methods is there.
int show(const std::string& name, bool json) {
  const auto one = experiment::find_experiment(name);
  const auto plan = experiment::make_plan(one);
  if (json) {
    fmt::print("{}\n", as_json(one, plan).dump(2));
    return 0;
  }
  fmt::print("{}\n{}\n\n{}", paint(one.title, Colour::Bold), one.about, reasons(plan));
  fmt::print("the plan: npq experiment run {} --dry-run\n", name);
  return 0;
}

int list(bool json) {
  auto all = nlohmann::json::array();
  std::vector<std::vector<std::string>> rows = {
      {"experiment", "models", "runs", "steps", "sizes", "what"}};
  for (const auto& name : experiment::built_in_names()) {
    const auto one = experiment::find_experiment(name);
    const auto plan = experiment::make_plan(one);
    all.push_back(as_json(one, plan));
    rows.push_back({paint(name, Colour::Bold), std::to_string(plan.runs.size() / one.seeds.size()),
                    std::to_string(plan.runs.size()), std::to_string(one.steps),
                    fmt::format("{}", fmt::join(one.tests.sizes, ",")), one.title});
  }
  fmt::print("{}", json ? all.dump(2) + "\n" : table(rows, {1, 2, 3}));
  return 0;
}

}  // namespace

void add_experiment_list(Cli& cli) {
  auto json = std::make_shared<bool>(false);
  auto name = std::make_shared<std::string>();
  auto* command =
      cli.command(cli.group("experiment"), "list", "the experiments that come with the program",
                  {"npq experiment list", "npq experiment list evidence_dijkstra",
                   "npq experiment list --json"},
                  [json, name] { return name->empty() ? list(*json) : show(*name, *json); });
  command
      ->add_option("name", *name,
                   "only this one: what it is to show, and why each of its methods is there")
      ->type_name("NAME");
  command->add_flag("--json", *json, "as JSON, with all models");
}

}  // namespace npq::app
