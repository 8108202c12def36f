#include "app/engine/trace_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/engine/engine.h"
#include "app/engine_commands.h"
#include "npq/base/error.h"

namespace npq::app {
namespace {

constexpr int kFewestNodes = 4;  // what every algorithm can do with
constexpr int kMostNodes = 64;   // what a page can show

TraceCommand finished(const TraceCommand& command) {
  if (command.nodes < kFewestNodes || command.nodes > kMostNodes)
    throw UsageError("--nodes is {}; expected {} to {}, as many as a page can show", command.nodes,
                     kFewestNodes, kMostNodes);
  return command;
}

}  // namespace

void add_trace(Cli& cli) {
  auto fields = std::make_shared<TraceCommand>();
  auto* command = cli.command(
      cli.root(), "trace", engine_help("trace"),
      {"npq trace runs/queue", "npq trace runs/queue --nodes 12 --seed 3 --out trace.html",
       "npq trace runs/queue --json > trace.json"},
      [fields] { return run_trace(finished(*fields)); });
  command->add_option("run", fields->run, "run folder, or a checkpoint file")
      ->type_name("RUN")
      ->required();
  command->add_option("--which", fields->which, "which model of the run")
      ->type_name("best|last|average")
      ->capture_default_str();
  command->add_option("--nodes", fields->nodes, "size of the sample, 4 to 64")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--seed", fields->seed, "of the sample")
      ->type_name("S")
      ->capture_default_str();
  command->add_option("--out", fields->out, "the page")->type_name("FILE")->capture_default_str();
  command->add_flag("--json", fields->json, "all of it as JSON on standard output, no page");
  command->add_option("--threads", fields->threads, "threads (0: all)")->capture_default_str();
}

}  // namespace npq::app
