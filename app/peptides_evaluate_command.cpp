#include "app/peptides_evaluate_command.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

namespace npq::app {

void add_peptides_evaluate(Cli& cli, CLI::App* peptides,
                           std::function<int(const PeptidesEvaluateCommand&)> action) {
  auto fields = std::make_shared<PeptidesEvaluateCommand>();
  auto* command = cli.command(
      peptides, "evaluate",
      "test errors of a run's best and last model, all together and target by target, with 95% "
      "intervals over molecules",
      {"npq peptides evaluate runs/peptides/gcn/plain/none/seed0",
       "npq peptides evaluate runs/mine --which best --json > errors.json",
       "npq peptides evaluate runs/mine --data data/elsewhere"},
      [fields, action = std::move(action)] { return action(*fields); });
  command->add_option("run", fields->run, "run folder")->type_name("RUN")->required();
  command->add_option("--which", fields->which, "which model of the run")
      ->type_name("best|last|both")
      ->capture_default_str();
  command
      ->add_option(
          "--data", fields->data,
          "folder of the run's data set, where it has moved (default: as config.json says)")
      ->type_name("DIR");
  command->add_flag("--json", fields->json, "all figures and the error of every molecule, as JSON");
  command->add_flag("--save,!--no-save", fields->save,
                    "keep the figures in RUN/evaluation.json (on)");
  command->add_option("--threads", fields->threads, "threads (0: all)")->capture_default_str();
}

}  // namespace npq::app
