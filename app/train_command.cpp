#include "app/train_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/output.h"
#include "app/shared_train_command.h"
#include "npq/base/simd.h"
#include "npq/memory/catalog.h"
#include "npq/memory/flags.h"

namespace npq::app {
namespace {

/// What the command line holds before it becomes TrainOptions: choices are names here.
struct TrainFlags {
  TrainCommand command;
  MemoryFlags memory;
  std::string hints = "encoded_decoded", repred = "soft", encoder_init = "default";
  std::string train_sizes;
  const CLI::App* app = nullptr;
  const Cli* cli = nullptr;
};

/// Sizes of parts that the processor does not have would be ignored in silence.
void check_processor_flags(const TrainFlags& flags) {
  const auto& kind = flags.command.options.model.processor.kind();
  const auto check = [&](const char* name, bool fits, const char* processors) {
    if (fits || flags.app->get_option(std::string("--") + name)->count() == 0 ||
        flags.cli->config_file().decides(name))
      return;
    throw UsageError("processor '{}' has no use for --{}; leave it out or choose {}", kind.name,
                     name, processors);
  };
  check("heads", kind.family != nn::ProcessorFamily::Pgn, "gat or gatv2");
  check("triplet-features", kind.triplets, "a triplet processor");
}

TrainCommand finished(const TrainFlags& flags) {
  TrainCommand command = flags.command;
  auto& options = command.options;
  if (!command.resume.empty()) {
    check_resumed(*flags.app,
                  {"steps", "evaluate-every", "learning-rate", "clip", "threads", "simd", "quiet"});
    const auto given = [&](const char* name, auto value) {
      return flags.app->get_option(name)->count() > 0 ? std::optional(value) : std::nullopt;
    };
    command.changes = {.steps = given("--steps", options.steps),
                       .evaluate_every = given("--evaluate-every", options.evaluate_every),
                       .learning_rate = given("--learning-rate", options.adam.learning_rate),
                       .clip = given("--clip", options.clip)};
  }
  if (!command.simd.empty()) parse_simd_level(command.simd);
  options.model.hint_mode = choice_named("hint mode", model::kHintModes, flags.hints);
  options.model.repred_mode = choice_named("repred mode", model::kRepredModes, flags.repred);
  options.model.encoder_init = choice_named("encoder init", nn::kEncoderInits, flags.encoder_init);
  check_processor_flags(flags);
  options.memory =
      chosen_memory(flags.memory, flags.cli->config_file(), memory::memory_options, command.notes);
  options.preset = flags.memory.preset;
  if (!flags.train_sizes.empty())
    options.train_sizes = integers_of(flags.train_sizes, "--train-sizes");
  options.validate();
  return command;
}

}  // namespace

std::string TrainCommand::folder() const {
  if (!resume.empty()) return resume;
  if (!out.empty()) return out;
  return fmt::format("runs/{}/{}/{}/seed{}", options.algorithm, options.model.processor.name,
                     options.memory.name, options.seed);
}

void add_train(Cli& cli, std::function<int(const TrainCommand&)> action) {
  auto flags = std::make_shared<TrainFlags>();
  auto* command = cli.command(
      cli.root(), "train", "train one model; the defaults are the paper's protocol",
      {"npq train --algorithm dijkstra --steps 500",
       "npq train --algorithm dijkstra --memory npq_w --out runs/queue",
       "npq train --algorithm bfs --processor pgn --hidden 32 --batch 8 --steps 200 --dry-run",
       "npq train --resume runs/queue", "npq train --resume runs/queue --learning-rate 0.0001",
       "npq train --memory npq_w --init runs/queue --seed 2 --out runs/second"},
      [flags, action = std::move(action)] { return action(finished(*flags)); });
  flags->app = command;
  flags->cli = &cli;
  cli.print_config_with(command, [flags] {
    const auto command = finished(*flags);
    for (const auto& note : command.notes) complain(note);
    return train::to_json(command.options);
  });
  command->footer(
      command->get_footer() +
      "\n\nCtrl-C finishes the step, writes the state and says how to resume (exit code "
      "1);\na second Ctrl-C stops at once (130). After either, and after a crash, "
      "--resume gives\nthe same final weights as a run that was never disturbed.");
  auto& options = flags->command.options;
  auto& model = options.model;
  const auto add = [&](const std::string& name, auto& field, const std::string& help,
                       const std::string& type) {
    return command->add_option("--" + name, field, help)->type_name(type)->capture_default_str();
  };
  add("algorithm", options.algorithm, "which algorithm (npq data list)", "ALGO");
  add("processor", model.processor.name, "mpnn, pgn, gat, gatv2, deepsets, triplet_mpnn, ...",
      "NAME");
  add("memory", flags->memory.memory, "none, npq_m, npq_w, npq_w_p_sv, ..., stack, ntm, ...",
      "NAME");
  add("preset", flags->memory.preset,
      "the memory as in the paper, or as the authors' code computes", "paper|reference");
  add("hidden", model.hidden, "hidden size", "H");
  add("batch", options.batch, "samples per update", "B");
  add("steps", options.steps, "updates", "N");
  add("evaluate-every", options.evaluate_every, "updates between two validations", "N");
  add("seed", options.seed, "initialisation, dropout, teacher forcing", "S");
  add("learning-rate", options.adam.learning_rate, "Adam's", "X");
  add("clip", options.clip, "limit of the gradients' norm; 0: none", "X");
  add("train-sizes", flags->train_sizes, "make training data on the fly, e.g. 4,7,11,13,16", "N,N");
  add("heads", model.processor.heads, "attention heads of gat and gatv2", "K");
  add("triplet-features", model.processor.triplet_fts, "features of triplet processors", "F");
  add("hints", flags->hints, "encoded_decoded, decoded_only or none", "MODE");
  add("repred", flags->repred, "how hint predictions come back: soft, hard, hard_on_eval", "MODE");
  add("encoder-init", flags->encoder_init, "default or xavier_on_scalars", "NAME");
  add("teacher-forcing", model.teacher_forcing, "chance to see a true hint in training", "P");
  add("dropout", model.dropout, "share of the hidden state dropped in training", "P");
  add("message-steps", model.message_steps, "rounds of messages per step", "K");
  command->add_flag("--layer-norm,!--no-layer-norm", model.processor.layer_norm,
                    "LayerNorm in the processor (on)");
  command->add_flag("--enforce-permutations", model.enforce_permutations,
                    "sorts answer with permutation matrices");
  command->add_flag("--random-positions", options.random_positions,
                    "random node positions in training");
  bind_memory_flags(command, flags->memory.given);
  command
      ->add_option("--match-parameters", flags->command.match_parameters,
                   "choose the memory's width so that it has as many parameters as this one")
      ->type_name("MEMORY")
      ->group("Memory");
  command
      ->add_option("--out", flags->command.out,
                   "run folder (default: runs/ALGO/PROCESSOR/MEMORY/seedS)")
      ->type_name("RUN");
  command
      ->add_option(
          "--resume", flags->command.resume,
          "go on with this run; --steps, --evaluate-every, --learning-rate and --clip hold "
          "from there on")
      ->type_name("RUN");
  command
      ->add_option("--init", options.init,
                   "begin with the best weights of this run, or those of a file such as "
                   "RUN/last.safetensors")
      ->type_name("RUN");
  // What config.json says beside the flags, so that --config takes it.
  add("init-checksum", options.init_checksum, "", "X")->group("");
  add("threads", flags->command.threads, "threads (0: all)", "T");
  command->add_option("--simd", flags->command.simd, "force a level: reference, avx2, avx512, amx")
      ->type_name("LEVEL");
  command->add_flag("--dry-run", flags->command.dry_run,
                    "show parameters, memory and expected time, then stop");
  command->add_flag("--quiet", flags->command.quiet, "no progress");
}

}  // namespace npq::app
