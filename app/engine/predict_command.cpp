#include "app/engine/predict_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <vector>

#include "app/engine/engine.h"
#include "app/engine_commands.h"
#include "npq/clrs/samplers/inputs_json.h"

namespace npq::app {
namespace {

/// "{...}  dijkstra, mst_prim" for each format, with all the algorithms that use it.
std::string formats() {
  std::vector<std::pair<std::string, std::vector<std::string_view>>> all;
  for (const auto table : {clrs::catalog(), clrs::structure_tasks()}) {
    for (const auto& algorithm : table) {
      const auto format = clrs::input_format(algorithm);
      auto found = std::find_if(all.begin(), all.end(),
                                [&](const auto& entry) { return entry.first == format; });
      if (found == all.end()) found = all.insert(all.end(), {format, {}});
      found->second.push_back(algorithm.name);
    }
  }
  std::string text = "\nInputs:";
  for (const auto& [format, algorithms] : all)
    text += fmt::format("\n  {}\n      {}", format, fmt::join(algorithms, ", "));
  return text +
         "\n  A graph can also be a matrix, 0 for no edge: {\"A\": [[0, 0.5], [0.5, 0]], \"s\": 0}."
         "\n  Edges go both ways unless the algorithm is about directed graphs or the file says"
         "\n  \"directed\": true. Strings have the letters A to D. examples/ has one file per "
         "family.";
}

}  // namespace

void add_predict(Cli& cli) {
  auto fields = std::make_shared<PredictCommand>();
  auto* command = cli.command(cli.root(), "predict", engine_help("predict"),
                              {"npq predict runs/queue --input examples/graphs.json",
                               "npq predict runs/queue --input examples/graphs.json --trace",
                               "npq predict runs/sort --input mine.json --json",
                               "npq predict runs/queue --input - --out answers.jsonl"},
                              [fields] { return run_predict(*fields); });
  command->footer(formats() + "\n" + command->get_footer());
  command->add_option("run", fields->run, "run folder, or a checkpoint file")
      ->type_name("RUN")
      ->required();
  command
      ->add_option(
          "--input", fields->input,
          "JSON file, see below: one input, a list of them, or one per line; - is standard "
          "input")
      ->type_name("FILE")
      ->required();
  command->add_option("--which", fields->which, "which model of the run")
      ->type_name("best|last|average")
      ->capture_default_str();
  command->add_flag("--trace", fields->trace, "also the predicted hints, step by step");
  command->add_flag("--json", fields->json, "everything as JSON, one line per input");
  command->add_option("--out", fields->out, "the same into a file")->type_name("FILE");
  command->add_option("--threads", fields->threads, "threads (0: all)")->capture_default_str();
}

}  // namespace npq::app
