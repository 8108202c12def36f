#include "app/peptides_train_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/output.h"
#include "app/shared_train_command.h"
#include "npq/memory/catalog.h"
#include "npq/memory/flags.h"

namespace npq::app {
namespace {

/// What the command line holds before it becomes TrainOptions: choices are names here.
struct PeptidesTrainFlags {
  PeptidesTrainCommand command;
  std::string algorithm = "peptides", processor = "gcn", layer;
  MemoryFlags memory;
  const Cli* cli = nullptr;
  const CLI::App* app = nullptr;
};

PeptidesTrainCommand finished(const PeptidesTrainFlags& flags) {
  PeptidesTrainCommand command = flags.command;
  if (!command.resume.empty()) {
    check_resumed(*flags.app, {"epochs", "learning-rate", "patience", "factor", "least-rate",
                               "threads", "quiet"});
    const auto& options = command.options;
    const auto given = [&](const char* name, auto value) {
      return flags.app->get_option(name)->count() > 0 ? std::optional(value) : std::nullopt;
    };
    command.changes = {.epochs = given("--epochs", options.epochs),
                       .patience = given("--patience", options.patience),
                       .learning_rate = given("--learning-rate", options.learning_rate),
                       .factor = given("--factor", options.factor),
                       .least_rate = given("--least-rate", options.least_rate)};
    return command;
  }
  auto& model = command.options.model;
  if (flags.algorithm != "peptides")
    throw UsageError("--algorithm is '{}', but this command trains on peptides; use npq train",
                     flags.algorithm);
  model.base = choice_named("processor", lrgb::kBases, flags.processor);
  model.memory =
      chosen_memory(flags.memory, flags.cli->config_file(), lrgb::peptide_memory, command.notes);
  command.options.preset = flags.memory.preset;
  model.layer = !flags.layer.empty() ? choice_named("layer", lrgb::kLayers, flags.layer)
                : model.has_memory() ? lrgb::Layer::Full
                                     : lrgb::Layer::Plain;
  command.options.validate();
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

void add_peptides_train(Cli& cli, CLI::App* peptides,
                        std::function<int(const PeptidesTrainCommand&)> action) {
  auto flags = std::make_shared<PeptidesTrainFlags>();
  auto* command = cli.command(
      peptides, "train", "train one network on peptides; the defaults are the published protocol",
      {"npq peptides train --data data/generated --epochs 50",
       "npq peptides train --data data/generated --processor gatv2 --memory npq_w --epochs 50",
       "npq peptides train --data data/generated --layer ref --memory none --epochs 50",
       "npq peptides train --resume runs/peptides/gcn/plain/none/seed0"},
      [flags, action = std::move(action)] { return action(finished(*flags)); });
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
  auto& options = flags->command.options;
  const auto add = [&](const std::string& name, auto& field, const std::string& help,
                       const std::string& type) {
    return command->add_option("--" + name, field, help)->type_name(type)->capture_default_str();
  };
  add("data", options.data, "folder that npq peptides import or generate made", "DIR");
  add("processor", flags->processor, "message passing: gcn, gine, gatv2", "NAME");
  add("layer", flags->layer,
      "plain: the baseline; full: the same with the memory's message inside; ref: the published "
      "memory layer (default: full with a memory, else plain)",
      "NAME");
  add("memory", flags->memory.memory, "none, npq_m, npq_w, npq_w_p_sv, ..., stack, ntm, ...",
      "NAME");
  add("preset", flags->memory.preset, "the queue as in the paper, or as the authors' code computes",
      "paper|reference");
  add("layers", options.model.layers, "rounds of messages", "K");
  add("hidden", options.model.hidden, "width; 0: 300 for gcn, 208 for the others", "D");
  add("memory-width", options.model.memory_width, "what the memory sees and says of a node", "Z");
  add("epochs", options.epochs, "passes over the training molecules", "N");
  add("batch", options.batch, "molecules per update", "B");
  add("seed", options.seed, "initialisation and order", "S");
  add("learning-rate", options.learning_rate, "AdamW's, at first", "X");
  add("patience", options.patience, "epochs without progress before it falls", "N");
  add("factor", options.factor, "by which it falls", "X");
  add("least-rate", options.least_rate, "below which it does not fall", "X");
  bind_memory_flags(command, flags->memory.given);
  command
      ->add_option("--out", flags->command.out,
                   "run folder (default: runs/peptides/PROCESSOR/LAYER/MEMORY/seedS)")
      ->type_name("RUN");
  command
      ->add_option("--resume", flags->command.resume,
                   "go on with this run; --epochs, --learning-rate, --patience, --factor and "
                   "--least-rate hold from there on")
      ->type_name("RUN");
  command
      ->add_option("--init", options.init,
                   "begin with the best weights of this run, or those of a file such as "
                   "RUN/last.safetensors")
      ->type_name("RUN");
  add("threads", flags->command.threads, "threads (0: all)", "T");
  command->add_flag("--quiet", flags->command.quiet, "no progress");
  // What config.json says beside the flags, so that --config takes it.
  add("algorithm", flags->algorithm, "", "peptides")->group("");
  add("data-checksum", options.data_checksum, "", "X")->group("");
  add("init-checksum", options.init_checksum, "", "X")->group("");
}

}  // namespace npq::app
