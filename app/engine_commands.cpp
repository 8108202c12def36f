#include "app/engine_commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "npq/base/error.h"

namespace npq::app {
namespace {

struct EngineCommand {
  std::string_view words, help;

  std::string_view name() const { return words.substr(words.find(' ') + 1); }
  std::string_view group() const {
    const auto space = words.find(' ');
    return space == words.npos ? std::string_view() : words.substr(0, space);
  }
};

constexpr EngineCommand kEngineCommands[] = {
    {"train", "train one model; the defaults are the paper's protocol"},
    {"evaluate",
     "scores of a run's best, last and average model on test sets of any size, with 95% intervals "
     "over samples"},
    {"predict", "a trained model on your own input, compared with the algorithm"},
    {"trace",
     "a page with a time slider: the graph, the hints, the memory slot by slot, who pops what"},
    {"prove",
     "the paper's four desiderata, tested and measured on every memory: persistence, "
     "equivariance, reduction to std::priority_queue, no intermediate supervision"},
    {"check",
     "trains with our kernels and compares every update with plain torch operations: the largest "
     "difference of loss and gradients; exit code 1 if one is out of bounds, or if "
     "rounding alone moves more than half of the updates as far (kinks)"},
    {"peptides train", "train one network on peptides; the defaults are the published protocol"},
    {"peptides evaluate",
     "test errors of a run's best, last and average model, all together and target by target, with "
     "95% intervals over molecules"},
    {"bench train", "seconds and memory of one update, compared with the machine's best product"},
    {"bench evaluate",
     "seconds and memory to evaluate one batch of graphs, compared with the machine's best "
     "product"},
    {"bench processor", "one round of messages of one sparse graph, without encoders and decoders"},
    {"bench kernels",
     "each kernel where a network calls it, compared with plain torch operations: checked for "
     "equality, then timed"},
    {"import haiku",
     "weights and optimiser state of the public benchmark (dm-clrs): reads the pickle that its "
     "training script saves, without running anything in it"},
    {"info", "this program and this machine: version, SIMD level, BLAS"},
};

const EngineCommand* find_command(std::string_view words) {
  const auto found = std::ranges::find(kEngineCommands, words, &EngineCommand::words);
  return found == std::end(kEngineCommands) ? nullptr : found;
}

}  // namespace

std::string engine_help(std::string_view words) {
  const auto* command = find_command(words);
  NPQ_ASSERT(command != nullptr);
  return std::string(command->help);
}

bool calls_engine(std::vector<std::string_view> args) {
  if (!args.empty() && args.front() == "help") args.erase(args.begin());
  if (args.empty()) return false;
  if (find_command(args[0])) return true;
  return args.size() > 1 && find_command(std::string(args[0]) + " " + std::string(args[1]));
}

void list_engine_commands(Cli& cli) {
  for (const auto& command : kEngineCommands) {
    auto* parent = command.group().empty() ? cli.root() : cli.group(command.group());
    parent->add_subcommand(std::string(command.name()), std::string(command.help));
  }
}

}  // namespace npq::app
