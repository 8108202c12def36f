// npq experiment collect: finished runs as small files to be kept in the project.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/commands.h"
#include "app/experiment/experiment_folder.h"
#include "npq/base/files/atomic_file.h"
#include "npq/base/files/mapped_file.h"
#include "npq/experiment/committed.h"
#include "npq/report/result_file.h"

namespace npq::app {
namespace {

std::string text_of(const std::filesystem::path& path) {
  const MappedFile file(path);
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

int collect(const ExperimentOptions& options) {
  const auto plan = plan_of_folder(options, stdout);
  const auto places = options.places(plan.name);
  int written = 0, there = 0;
  for (const auto& run : plan.runs) {
    const auto state = experiment::status_of(plan, run, places).state;
    const bool committed = state == experiment::State::Committed;
    if (!committed && state != experiment::State::Done) continue;
    const auto file = experiment::committed_file(places.results, plan, run);
    const auto found =
        committed ? experiment::committed_result(places.results, plan, run) : std::nullopt;
    there += found == file;
    if (found == file) continue;
    const auto text =
        found ? text_of(*found) : report::result_text(report::read_run(places.out / run.folder()));
    make_folder(file.parent_path());
    write_file(file, text);
    fmt::print("{}\n", file.string());
    ++written;
  }
  fmt::print("{} written, {} were there, {} of {} not finished\n",
             counted(static_cast<std::size_t>(written), "result"), there,
             static_cast<int>(plan.runs.size()) - written - there,
             counted(plan.runs.size(), "run"));
  return 0;
}

}  // namespace

void add_experiment_collect(Cli& cli) {
  auto options = std::make_shared<ExperimentOptions>();
  auto* command = cli.command(
      cli.group("experiment"), "collect",
      "writes every finished run as a small file below --results: scores graph by graph, curves, "
      "configuration, but no weights",
      {"npq experiment collect dijkstra", "npq experiment collect dijkstra --results results"},
      [options] { return collect(*options); });
  command->footer(command->get_footer() + kPlanOfFolder);
  bind(command, *options);
  bind_passed_over(command);
}

}  // namespace npq::app
