#include "app/engine/evaluate_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/engine/engine.h"
#include "app/engine_commands.h"
#include "npq/base/error.h"

namespace npq::app {
namespace {

struct EvaluateFlags {
  EvaluateCommand command;
  std::string sizes = "64";
  std::string ablate;
};

EvaluateCommand finished(const EvaluateFlags& flags) {
  EvaluateCommand command = flags.command;
  command.sizes = integers_of(flags.sizes, "--sizes");
  if (command.sizes.empty()) throw UsageError("--sizes is empty; expected numbers such as 64,128");
  for (const int size : command.sizes)
    if (size < 1)
      throw UsageError("--sizes has {}; expected numbers of nodes such as 64,128", size);
  command.ablations = memory::ablations_in(flags.ablate);
  if (command.samples && *command.samples < 1)
    throw UsageError("--samples is {}; expected at least 1", *command.samples);
  if (command.batch < 1) throw UsageError("--batch is {}; expected at least 1", command.batch);
  return command;
}

}  // namespace

void add_evaluate(Cli& cli) {
  auto flags = std::make_shared<EvaluateFlags>();
  auto* command = cli.command(
      cli.root(), "evaluate", engine_help("evaluate"),
      {"npq evaluate runs/queue", "npq evaluate runs/queue --sizes 64,128,256 --which best",
       "npq evaluate runs/queue --samples 8 --hints --no-save --json > scores.json",
       "npq evaluate runs/queue --ablate zero,shuffle", "npq evaluate imported.safetensors"},
      [flags] { return run_evaluate(finished(*flags)); });
  auto& fields = flags->command;
  command->add_option("run", fields.run, "run folder, or a checkpoint file")
      ->type_name("RUN")
      ->required();
  command->add_option("--which", fields.which, "which model of the run")
      ->type_name("best|last|average|all")
      ->capture_default_str();
  command
      ->add_option("--sizes", flags->sizes,
                   "sizes of the test sets; 64 is the benchmark's official one")
      ->type_name("N,N")
      ->capture_default_str();
  command
      ->add_option("--samples", fields.samples,
                   "take the first K of each set (default: as many as the official one has)")
      ->type_name("K");
  command->add_option("--batch", fields.batch, "samples computed side by side")
      ->type_name("B")
      ->capture_default_str();
  command
      ->add_option("--ablate", flags->ablate,
                   "also without a part of the memory: zero (messages are their bias), freeze (the "
                   "state of the first step stays), shuffle (another graph's memory), empty "
                   "(emptied before every read)")
      ->type_name("zero,freeze,shuffle,empty");
  command->add_flag("--hints", fields.hints, "also score the predicted hints of every step");
  command->add_flag("--json", fields.json,
                    "all figures and all predictions, sample by sample, as JSON");
  command->add_flag("--save,!--no-save", fields.save,
                    "keep the figures in RUN/evaluation.json, with those of other sizes (on)");
  command->add_option("--threads", fields.threads, "threads of each rank (0: all, divided)")
      ->capture_default_str();
  bind_ranks(command, fields.ranks);
  command->add_flag("--quiet", fields.quiet, "no progress");
}

}  // namespace npq::app
