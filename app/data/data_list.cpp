// npq data list: the algorithms and tasks with their specs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/table.h"
#include "npq/clrs/catalog.h"
#include "npq/clrs/dataset/dataset.h"
#include "npq/clrs/dataset/official.h"

namespace npq::app {
namespace {

using clrs::Algorithm;
using clrs::Stage;

nlohmann::json describe(const Algorithm& algorithm) {
  nlohmann::json probes = nlohmann::json::array();
  for (const auto& probe : algorithm.spec())
    probes.push_back({{"name", probe.name},
                      {"stage", clrs::name_of(probe.stage)},
                      {"location", clrs::name_of(probe.location)},
                      {"type", clrs::name_of(probe.type)},
                      {"classes", probe.classes},
                      {"dtype", probe.number == clrs::Number::Int64 ? "I64" : "F64"}});
  nlohmann::json lengths;  // null for tasks of ours, which have no official splits
  const auto official = clrs::official_splits().find(algorithm.name);
  for (const auto split : clrs::kSplits) {
    if (official == clrs::official_splits().end()) break;
    const std::string name(clrs::name_of(split));
    const auto& known = official->at(name).at("traj_len");
    lengths[name] = {
        {"min", known.at("min")}, {"mean", known.at("mean")}, {"max", known.at("max")}};
  }
  return {{"name", algorithm.name},
          {"family", clrs::name_of(algorithm.family)},
          {"minimum_nodes", algorithm.minimum_length},
          {"probes", probes},
          {"trace_lengths", lengths}};
}

std::string names(const Algorithm& algorithm, Stage stage) {
  std::vector<std::string> found;
  for (const auto& probe : algorithm.spec())
    if (probe.stage == stage) found.push_back(probe.name);
  return fmt::format("{}", fmt::join(found, " "));
}

std::string lengths(const nlohmann::json& splits, const char* split) {
  if (splits.is_null()) return "-";
  const auto& known = splits.at(split);
  return fmt::format("{}/{:.1f}/{}", known.at("min").get<int>(), known.at("mean").get<double>(),
                     known.at("max").get<int>());
}

std::vector<const Algorithm*> all_tasks() {
  std::vector<const Algorithm*> tasks;
  for (const auto& algorithm : clrs::catalog()) tasks.push_back(&algorithm);
  for (const auto& task : clrs::structure_tasks()) tasks.push_back(&task);
  return tasks;
}

int list(bool json) {
  if (json) {
    nlohmann::json all = nlohmann::json::array();
    for (const auto* algorithm : all_tasks()) all.push_back(describe(*algorithm));
    fmt::print("{}\n", all.dump(2));
    return 0;
  }
  std::vector<std::vector<std::string>> rows = {
      {"algorithm", "family", "min", "T at 16", "T at 64", "inputs", "outputs", "hints"}};
  for (const auto* algorithm : all_tasks()) {
    const auto known = describe(*algorithm)["trace_lengths"];
    rows.push_back({std::string(algorithm->name), std::string(clrs::name_of(algorithm->family)),
                    std::to_string(algorithm->minimum_length), lengths(known, "train"),
                    lengths(known, "test"), names(*algorithm, Stage::Input),
                    names(*algorithm, Stage::Output), names(*algorithm, Stage::Hint)});
  }
  fmt::print("{}", table(rows, {2}));
  fmt::print(
      "T: steps of a trace, smallest/mean/largest of the official train and test splits. The last "
      "{} are\nour own tasks, each just a data structure: not part of CLRS-30 or of any "
      "average.\n",
      clrs::structure_tasks().size());
  return 0;
}

}  // namespace

void add_data_list(Cli& cli) {
  auto json = std::make_shared<bool>(false);
  auto* command = cli.command(
      cli.group("data"), "list",
      "the 30 algorithms and three tasks of ours: family, smallest size, inputs, hints, outputs",
      {"npq data list", "npq data list --json"}, [json] { return list(*json); });
  command->add_flag("--json", *json, "as JSON, with locations, types and dtypes");
}

}  // namespace npq::app
