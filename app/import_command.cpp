#include "app/import_command.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

namespace npq::app {

void add_import_haiku(Cli& cli, CLI::App* import, std::function<int(const ImportCommand&)> action) {
  auto fields = std::make_shared<ImportCommand>();
  auto* command = cli.command(
      import, "haiku",
      "weights and optimiser state of the public benchmark (dm-clrs): reads the pickle that its "
      "training script saves, without running anything in it",
      {"npq import haiku best_dijkstra.pkl --out dijkstra.safetensors",
       "npq import haiku best.pkl --processor pgn --out pgn.safetensors",
       "npq evaluate dijkstra.safetensors"},
      [fields, action = std::move(action)] { return action(*fields); });
  command->add_option("file", fields->file, "the checkpoint")->type_name("FILE.pkl")->required();
  command->add_option("--out", fields->out, "where to write the same as safetensors")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--algorithm", fields->algorithm,
                   "where two algorithms have the same probes (insertion_sort, bubble_sort)")
      ->type_name("ALGO");
  command
      ->add_option("--processor", fields->processor,
                   "where several have the same weights (default: mpnn of the max family, gat, "
                   "gatv2)")
      ->type_name("NAME");
  command
      ->add_option("--memory", fields->memory,
                   "where several have the same weights (default: npq_w and its like)")
      ->type_name("NAME");
}

}  // namespace npq::app
