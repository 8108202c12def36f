#include "app/engine/training/peptides_train_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/engine/engine.h"
#include "app/engine/training/resumed.h"
#include "app/engine_commands.h"
#include "app/output.h"
#include "npq/memory/catalog.h"
#include "npq/memory/flags.h"

namespace npq::app {
namespace {

struct PeptidesTrainFlags {
  PeptidesTrainCommand command;
  const Cli* cli = nullptr;
  const CLI::App* app = nullptr;
};

PeptidesTrainCommand finished(const PeptidesTrainFlags& flags) {
  PeptidesTrainCommand command = flags.command;
  const auto given = given_options(*flags.app, lrgb::train_option_table());
  if (command.resume.empty()) {
    command.options = options_of_peptides_train(given, flags.cli->config_file(), command.notes);
    return command;
  }
  command.changes = changes_of(*flags.app, given, lrgb::train_option_table(), {"threads", "quiet"});
  return command;
}

}  // namespace

std::string PeptidesTrainCommand::folder() const {
  if (!resume.empty()) return resume;
  if (!out.empty()) return out;
  return fmt::format(
      "runs/peptides/{}/{}/{}/seed{}", name_of_choice(lrgb::kBases, options.model.base),
      name_of_choice(lrgb::kLayers, options.model.layer), options.model.memory.name, options.seed);
}

void add_peptides_train(Cli& cli) {
  auto flags = std::make_shared<PeptidesTrainFlags>();
  auto* command = cli.command(
      cli.group("peptides"), "train", engine_help("peptides train"),
      {"npq peptides train --data data/generated --epochs 50",
       "npq peptides train --data data/generated --processor gatv2 --memory npq_w --epochs 50",
       "npq peptides train --data data/generated --layer ref --memory none --epochs 50",
       "npq peptides train --resume runs/peptides/gcn/plain/none/seed0"},
      [flags] { return run_peptides_train(finished(*flags)); });
  flags->app = command;
  flags->cli = &cli;
  cli.print_config_with(command, [flags] {
    const auto command = finished(*flags);
    for (const auto& note : command.notes) complain(note);
    return lrgb::to_json(command.options);
  });
  command->footer(
      command->get_footer() +
      "\n\nCtrl-C finishes the step, writes the state and says how to resume (exit code "
      "1);\na second Ctrl-C stops at once (130). --resume gives the same final weights "
      "as a run\nthat was never disturbed.");
  bind_options(command, lrgb::train_option_table());
  command->get_option("--layer")->default_str("");  // it depends on the memory, as its help says
  command
      ->add_option("--out", flags->command.out,
                   "run folder (default: runs/peptides/PROCESSOR/LAYER/MEMORY/seedS)")
      ->type_name("RUN");
  command
      ->add_option("--resume", flags->command.resume,
                   "go on with this run; --epochs, --learning-rate, --patience, --factor and "
                   "--least-rate hold from there on")
      ->type_name("RUN");
  command->add_option("--threads", flags->command.threads, "threads (0: all)")
      ->type_name("T")
      ->capture_default_str();
  command->add_flag("--quiet", flags->command.quiet, "no progress");
}

}  // namespace npq::app
