#include "app/engine/training/train_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/engine/engine.h"
#include "app/engine/training/resumed.h"
#include "app/engine_commands.h"
#include "app/output.h"
#include "npq/base/simd.h"
#include "npq/memory/catalog.h"
#include "npq/memory/flags.h"

namespace npq::app {
namespace {

struct TrainFlags {
  TrainCommand command;
  std::string seeds;
  const CLI::App* app = nullptr;
  const Cli* cli = nullptr;
};

std::vector<std::uint64_t> seeds_of(const TrainFlags& flags) {
  if (flags.app->get_option("--seeds")->count() == 0) return {};
  const auto seeds = seeds_in(flags.seeds);
  for (const auto seed : seeds)
    if (std::ranges::count(seeds, seed) > 1) throw UsageError("--seeds holds {} twice", seed);
  if (seeds.empty()) throw UsageError("--seeds is empty; expected numbers such as 1,2,3");
  if (flags.app->get_option("--seed")->count() > 0 && !flags.cli->config_file().decides("seed"))
    throw UsageError("--seed and --seeds contradict each other; leave one of them out");
  return seeds;
}

TrainCommand finished(const TrainFlags& flags) {
  TrainCommand command = flags.command;
  const auto given = given_options(*flags.app, train::train_option_table());
  command.options = options_of_train(given, flags.cli->config_file(), command.notes);
  if (!command.resume.empty())
    command.changes =
        changes_of(*flags.app, given, train::train_option_table(),
                   {"threads", "simd", "quiet", "ranks", "interface", "port", "rank-timeout"});
  if (!command.simd.empty()) parse_simd_level(command.simd);
  if (!command.match_parameters.empty()) memory::find_row(command.match_parameters);
  command.seeds = seeds_of(flags);
  if (!command.seeds.empty()) command.options.seed = command.seeds.front();
  return command;
}

}  // namespace

std::string TrainCommand::folder() const {
  if (!resume.empty()) return resume;
  if (!out.empty()) return seeds.empty() ? out : fmt::format("{}/seed{}", out, options.seed);
  return fmt::format("runs/{}/{}/{}/seed{}", options.algorithm, options.model.processor.name,
                     options.memory.name, options.seed);
}

void add_train(Cli& cli) {
  auto flags = std::make_shared<TrainFlags>();
  auto* command = cli.command(
      cli.root(), "train", engine_help("train"),
      {"npq train --algorithm dijkstra --steps 500",
       "npq train --algorithm dijkstra --memory npq_w --out runs/queue",
       "npq train --algorithm dijkstra --memory npq_w --seeds 1,2,3",
       "npq train --algorithm bfs --processor pgn --hidden 32 --batch 8 --steps 200 --dry-run",
       "npq train --algorithm dijkstra --batch 64 --ranks 2 --out runs/shared",
       "npq train --resume runs/queue", "npq train --resume runs/queue --learning-rate 0.0001",
       "npq train --memory npq_w --init runs/queue --seed 2 --out runs/second"},
      [flags] { return run_train(finished(*flags)); });
  flags->app = command;
  flags->cli = &cli;
  cli.print_config_with(command, [flags] {
    const auto command = finished(*flags);
    for (const auto& note : command.notes) complain(note);
    return train::to_json(command.options);
  });
  command->footer(
      command->get_footer() +
      "\n\nCtrl-C finishes the step, writes the state and says how to resume (exit code "
      "1);\na second Ctrl-C stops at once (130). After either, and after a crash, "
      "--resume gives\nthe same final weights as an undisturbed run.");
  bind_options(command, train::train_option_table());
  command
      ->add_option("--seeds", flags->seeds,
                   "a run for each of these seeds, in RUN/seedS; finished runs are skipped")
      ->type_name("S,S");
  command
      ->add_option("--match-parameters", flags->command.match_parameters,
                   "choose the memory's width so that it has as many parameters as this one")
      ->type_name("MEMORY")
      ->group("Memory");
  command
      ->add_option("--out", flags->command.out,
                   "run folder (default: runs/ALGO/PROCESSOR/MEMORY/seedS)")
      ->type_name("RUN");
  command
      ->add_option(
          "--resume", flags->command.resume,
          "go on with this run; --steps, --evaluate-every, --learning-rate and --clip apply "
          "from there on")
      ->type_name("RUN");
  command->add_option("--threads", flags->command.threads, "threads of each rank (0: all, divided)")
      ->type_name("T")
      ->capture_default_str();
  bind_ranks(command, flags->command.ranks);
  command->add_option("--simd", flags->command.simd, "force a level: reference, avx2, avx512, amx")
      ->type_name("LEVEL");
  command->add_flag("--dry-run", flags->command.dry_run,
                    "show parameters, memory and expected time, then stop");
  command->add_flag("--quiet", flags->command.quiet, "no progress");
}

}  // namespace npq::app
