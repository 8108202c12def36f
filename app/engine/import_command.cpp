#include "app/engine/import_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/engine/engine.h"
#include "app/engine_commands.h"

namespace npq::app {

void add_import_haiku(Cli& cli) {
  auto fields = std::make_shared<ImportCommand>();
  auto* command = cli.command(cli.group("import"), "haiku", engine_help("import haiku"),
                              {"npq import haiku best_dijkstra.pkl --out dijkstra.safetensors",
                               "npq import haiku best.pkl --processor pgn --out pgn.safetensors",
                               "npq evaluate dijkstra.safetensors"},
                              [fields] { return run_import_haiku(*fields); });
  command->add_option("file", fields->file, "the checkpoint")->type_name("FILE.pkl")->required();
  command->add_option("--out", fields->out, "where to write the same as safetensors")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--algorithm", fields->algorithm,
                   "if two algorithms have the same probes (insertion_sort, bubble_sort)")
      ->type_name("ALGO");
  command
      ->add_option("--processor", fields->processor,
                   "if several have the same weights (default: mpnn of the max family, gat, "
                   "gatv2)")
      ->type_name("NAME");
  command
      ->add_option("--memory", fields->memory,
                   "if several have the same weights (default: npq_w and its variants)")
      ->type_name("NAME");
}

}  // namespace npq::app
