// npq experiment status: the progress of an experiment, read from its folders.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/experiment/experiment_folder.h"
#include "app/table.h"

namespace npq::app {
namespace {

using experiment::State;
using experiment::Status;

struct StatusOptions {
  ExperimentOptions experiment;
  bool json = false;
};

/// "training 45%", "done".
std::string short_text(const Status& status, const experiment::PlannedRun& run) {
  const auto name = experiment::state_name(status.state);
  if (status.state != State::Training && status.state != State::Stopped) return name;
  return fmt::format("{} {}%", name, 100 * status.step / run.steps);
}

nlohmann::json as_json(const Status& status, const experiment::PlannedRun& run,
                       const experiment::Places& places) {
  nlohmann::json one = {{"run", run.key()},
                        {"folder", (places.out / run.folder()).string()},
                        {"state", experiment::state_name(status.state)},
                        {"step", status.step},
                        {run.counted_in(), run.steps},
                        {"seconds", status.seconds}};
  if (status.loss) one["loss"] = *status.loss;
  if (status.validation) one["validation"] = *status.validation;
  if (!status.note.empty()) one["note"] = status.note;
  return one;
}

int print_status(const StatusOptions& options) {
  const auto plan = plan_of_folder(options.experiment, options.json ? stderr : stdout);
  const auto places = options.experiment.places(plan.name);
  auto all = nlohmann::json::array();
  std::map<State, int> counts;
  std::vector<std::string> models, notes;
  std::map<std::string, std::map<std::uint64_t, std::string>> cells;
  std::map<std::uint64_t, bool> seeds;
  for (const auto& run : plan.runs) {
    const auto status = experiment::status_of(plan, run, places);
    all.push_back(as_json(status, run, places));
    ++counts[status.state];
    if (!cells.contains(run.model())) models.push_back(run.model());
    cells[run.model()][run.seed] = short_text(status, run);
    seeds[run.seed] = true;
    if (!status.note.empty()) notes.push_back(fmt::format("{}: {}", run.key(), status.note));
  }
  if (options.json) {
    fmt::print("{}\n", all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    return 0;
  }
  std::vector<std::vector<std::string>> rows = {{plan.name}};
  for (const auto& [seed, unused] : seeds) rows[0].push_back(fmt::format("seed {}", seed));
  for (const auto& model : models) {
    rows.push_back({model});
    for (const auto& [seed, unused] : seeds) rows.back().push_back(cells[model][seed]);
  }
  fmt::print("{}", table(rows));
  std::string sum = counted(plan.runs.size(), "run");
  for (const auto& [state, count] : counts)
    sum += fmt::format(", {} {}", count, experiment::state_name(state));
  fmt::print("{}\n", sum);
  for (const auto& note : notes) fmt::print("{}\n", note);
  return 0;
}

}  // namespace

void add_experiment_status(Cli& cli) {
  auto options = std::make_shared<StatusOptions>();
  auto* command =
      cli.command(cli.group("experiment"), "status",
                  "how far it is; at any time, from any terminal that sees the folder",
                  {"npq experiment status dijkstra", "npq experiment status dijkstra --json"},
                  [options] { return print_status(*options); });
  command->footer(command->get_footer() + kPlanOfFolder);
  bind(command, options->experiment);
  bind_passed_over(command);
  command->add_flag("--json", options->json, "every run, as JSON");
}

}  // namespace npq::app
