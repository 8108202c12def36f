#include "app/engine/peptides_evaluate_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/engine/engine.h"
#include "app/engine_commands.h"

namespace npq::app {

void add_peptides_evaluate(Cli& cli) {
  auto fields = std::make_shared<PeptidesEvaluateCommand>();
  auto ablate = std::make_shared<std::string>();
  auto* command = cli.command(cli.group("peptides"), "evaluate", engine_help("peptides evaluate"),
                              {"npq peptides evaluate runs/peptides/gcn/plain/none/seed0",
                               "npq peptides evaluate runs/mine --which best --json > errors.json",
                               "npq peptides evaluate runs/mine --ablate zero,empty",
                               "npq peptides evaluate runs/mine --data data/elsewhere"},
                              [fields, ablate] {
                                fields->ablations = memory::ablations_in(*ablate);
                                return run_peptides_evaluate(*fields);
                              });
  command->add_option("run", fields->run, "run folder")->type_name("RUN")->required();
  command->add_option("--which", fields->which, "which model of the run")
      ->type_name("best|last|average|all")
      ->capture_default_str();
  command
      ->add_option(
          "--data", fields->data,
          "folder of the run's data set, if it was moved (default: the one in config.json)")
      ->type_name("DIR");
  command
      ->add_option("--ablate", *ablate,
                   "also without a part of the memory: zero (messages are their bias), freeze (the "
                   "state of the first layer stays), empty (emptied before every read)")
      ->type_name("zero,freeze,empty");
  command->add_flag("--json", fields->json, "all figures and the error of every molecule, as JSON");
  command->add_flag("--save,!--no-save", fields->save,
                    "keep the figures in RUN/evaluation.json (on)");
  command->add_option("--threads", fields->threads, "threads (0: all)")->capture_default_str();
}

}  // namespace npq::app
