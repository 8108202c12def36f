#include "app/engine/prove_command.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>

#include "app/engine/engine.h"
#include "app/engine_commands.h"
#include "npq/base/error.h"

namespace npq::app {
namespace {

struct ProveFlags {
  ProveCommand command;
  std::string only, memories, seeds = "1,2,3";
};

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> list;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, ',');) list.push_back(word);
  return list;
}

std::string command_line(const ProveFlags& flags) {
  std::string line = "npq prove";
  if (!flags.only.empty()) line += " --only " + flags.only;
  if (!flags.memories.empty()) line += " --memory " + flags.memories;
  if (flags.seeds != ProveFlags().seeds) line += " --seeds " + flags.seeds;
  const auto &options = flags.command.options, standard = prove::ProveOptions();
  const auto add = [&](const char* flag, std::int64_t value, std::int64_t usual) {
    if (value != usual) line += " --" + std::string(flag) + " " + std::to_string(value);
  };
  add("sequences", options.sequences, standard.sequences);
  add("steps", options.steps, standard.steps);
  add("hidden", options.hidden, standard.hidden);
  add("batch", options.batch, standard.batch);
  return line + " --out " + flags.command.out;
}

ProveCommand finished(const ProveFlags& flags) {
  ProveCommand command = flags.command;
  auto& options = command.options;
  for (const auto& word : words(flags.only)) options.only.push_back(prove::find_desideratum(word));
  options.memories = words(flags.memories);
  options.seeds = seeds_in(flags.seeds);
  options.validate();
  command.command_line = command_line(flags);
  return command;
}

}  // namespace

void add_prove(Cli& cli) {
  auto flags = std::make_shared<ProveFlags>();
  auto* command = cli.command(
      cli.root(), "prove", engine_help("prove"),
      {"npq prove", "npq prove --out proofs.html", "npq prove --only reduction,persistence",
       "npq prove --only supervision --memory npq_w,lstm --seeds 1,2,3,4,5",
       "npq prove --json > proofs.json"},
      [flags] { return run_prove(finished(*flags)); });
  command->footer(command->get_footer() +
                  "\n\nThe last lines say of each desideratum for which memories it holds. Exit "
                  "code 0: all that the\npaper claims holds here; 1: something does not.");
  auto& fields = flags->command;
  const auto add = [&](const std::string& name, auto& field, const std::string& help,
                       const std::string& type) {
    return command->add_option("--" + name, field, help)->type_name(type)->capture_default_str();
  };
  add("only", flags->only, "persistence, equivariance, reduction, supervision (default: all)",
      "NAME,NAME");
  add("memory", flags->memories, "which memories (default: every one of npq list memories)",
      "NAME,NAME");
  add("sequences", fields.options.sequences, "reduction: random sequences per structure", "K");
  add("seeds", flags->seeds, "supervision: one training each", "S,S");
  add("steps", fields.options.steps,
      "supervision: updates of each training; fewer than 200 may not be enough", "N");
  add("hidden", fields.options.hidden, "supervision: hidden size", "H");
  add("batch", fields.options.batch, "supervision: samples per update", "B");
  add("threads", fields.threads, "threads (0: all)", "T");
  command->add_option("--out", fields.out, "one self-contained page with tables and curves")
      ->type_name("FILE.html");
  command->add_flag("--json", fields.json, "everything measured, as JSON");
  command->add_flag("--quiet", fields.quiet, "no progress");
}

}  // namespace npq::app
