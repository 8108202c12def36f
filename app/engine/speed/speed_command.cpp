#include "app/engine/speed/speed_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/engine/engine.h"
#include "app/engine_commands.h"
#include "npq/base/error.h"
#include "npq/base/simd.h"
#include "npq/memory/catalog.h"

namespace npq::app {
namespace {

void check_path(const std::string& path) {
  if (path != "fused" && path != "composed")
    throw UsageError("--path is '{}'; expected fused or composed", path);
}

/// What the commands that time something have in common.
template <class Command>
void add_timing(CLI::App* command, Command& fields) {
  command->add_option("--threads", fields.threads, "threads (0: all)")
      ->type_name("T")
      ->capture_default_str();
  command->add_option("--simd", fields.simd, "force a level: reference, avx2, avx512, amx")
      ->type_name("LEVEL");
  command->add_option("--path", fields.path, "our kernels, or plain torch operations")
      ->type_name("fused|composed")
      ->capture_default_str();
  command->add_flag(
      "--cpu-time", fields.cpu_time,
      "the time of our own threads, not of the clock on the wall: with --threads 1 on "
      "a machine that others use, too");
  command->add_flag("--json", fields.json, "as JSON");
}

template <class Command>
void check_timing(const Command& command) {
  if (!command.simd.empty()) parse_simd_level(command.simd);
  check_path(command.path);
}

struct SpeedFlags {
  SpeedCommand command;
  std::string memory = "none";
};

SpeedCommand finished(const SpeedFlags& flags) {
  SpeedCommand command = flags.command;
  auto& options = command.options;
  options.memory = memory::memory_options(flags.memory);
  if (!command.evaluate && command.nodes > 0) options.train_sizes = {command.nodes};
  options.validate();
  if (command.steps < 0) throw UsageError("--steps is {}; expected 0 (all) or more", command.steps);
  check_timing(command);
  return command;
}

void add_speed(Cli& cli, bool evaluate) {
  auto flags = std::make_shared<SpeedFlags>();
  flags->command.evaluate = evaluate;
  flags->command.repeats = evaluate ? 1 : 9;
  flags->command.nodes = evaluate ? 64 : 0;
  const std::string name = evaluate ? "evaluate" : "train";
  auto* command = cli.command(
      cli.group("bench"), name, engine_help("bench " + name),
      {"npq bench " + name + " --memory npq_w", "npq bench " + name + " --path composed --json",
       "npq bench " + name + " --processor gat --nodes " + (evaluate ? "256" : "32")},
      [flags] { return run_bench(finished(*flags)); });
  auto& fields = flags->command;
  const auto add = [&](const std::string& flag, auto& field, const char* help, const char* type) {
    command->add_option("--" + flag, field, help)->type_name(type)->capture_default_str();
  };
  add("algorithm", fields.options.algorithm, "which algorithm (npq list algorithms)", "NAME");
  add("processor", fields.options.model.processor.name, "which processor (npq list processors)",
      "NAME");
  add("memory", flags->memory, "which memory (npq list memories)", "NAME");
  add("nodes", fields.nodes,
      evaluate ? "size of the graphs" : "size of the graphs; 0: official data", "N");
  add("batch", fields.options.batch, "graphs in the batch", "B");
  add("hidden", fields.options.model.hidden, "hidden size", "H");
  command->add_option("--repeats", fields.repeats, "the median of this many")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  if (evaluate)
    add("steps", fields.steps, "steps of the processor at most; 0: as many as the graphs need",
        "K");
  if (!evaluate)
    command
        ->add_option("--cores", fields.cores,
                     "instead: each part of the batch alone on one thread, and what so many cores "
                     "would make of them")
        ->delimiter(',')
        ->type_name("C,C")
        ->check(CLI::Range(1, 1024));
  add_timing(command, fields);
  if (!evaluate) bind_ranks(command, fields.ranks);
}

struct CheckFlags {
  CheckCommand command;
  std::vector<std::string> algorithms = {"dijkstra"};
  std::vector<std::string> processors = {"mpnn", "pgn", "gat", "gatv2", "triplet_gmpnn"};
  std::vector<std::string> memories = {"none", "npq_w", "npq_m_p_sa"};
  std::int64_t batch = 8, hidden = 32;
  int nodes = 0;
};

CheckCommand finished(const CheckFlags& flags) {
  CheckCommand command = flags.command;
  if (command.steps < 1) throw UsageError("--steps is {}; expected at least 1", command.steps);
  if (!command.simd.empty()) parse_simd_level(command.simd);
  for (const auto& algorithm : flags.algorithms)
    for (const auto& processor : flags.processors)
      for (const auto& memory : flags.memories) {
        train::TrainOptions options;
        options.algorithm = algorithm;
        options.model.processor.name = processor;
        options.memory = memory::memory_options(memory);
        options.batch = flags.batch;
        options.model.hidden = flags.hidden;
        if (flags.nodes != 0) options.train_sizes = {flags.nodes};
        options.validate();
        command.combinations.push_back(options);
      }
  return command;
}

}  // namespace

void add_bench_train(Cli& cli) { add_speed(cli, /*evaluate=*/false); }

void add_bench_evaluate(Cli& cli) { add_speed(cli, /*evaluate=*/true); }

void add_bench_processor(Cli& cli) {
  auto fields = std::make_shared<ProcessorCommand>();
  auto* command = cli.command(
      cli.group("bench"), "processor", engine_help("bench processor"),
      {"npq bench processor --processor pgn --nodes 4096",
       "npq bench processor --processor gat --nodes 1024 --degree 4 --threads 1 --cpu-time"},
      [fields] {
        const auto& given = *fields;
        given.processor.validate(given.hidden);
        if (given.nodes < 1) throw UsageError("--nodes is {}; expected at least 1", given.nodes);
        if (given.hidden < 1) throw UsageError("--hidden is {}; expected at least 1", given.hidden);
        if (!(given.degree >= 0))
          throw UsageError("--degree is {}; expected 0 or more", given.degree);
        check_timing(given);
        return run_bench_processor(given);
      });
  const auto add = [&](const char* flag, auto& field, const char* help, const char* type) {
    command->add_option(flag, field, help)->type_name(type)->capture_default_str();
  };
  add("--processor", fields->processor.name, "which processor", "NAME");
  add("--nodes", fields->nodes, "size of the graph", "N");
  add("--degree", fields->degree, "mean number of neighbours", "X");
  add("--hidden", fields->hidden, "hidden size", "H");
  command->add_option("--repeats", fields->repeats, "the best of this many")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  add_timing(command, *fields);
}

void add_bench_kernels(Cli& cli) {
  struct Flags {
    KernelsCommand command;
    std::string sizes = "16,64";
  };
  auto flags = std::make_shared<Flags>();
  auto* command =
      cli.command(cli.group("bench"), "kernels", engine_help("bench kernels"),
                  {"npq bench kernels", "npq bench kernels --nodes 16,64,128 --batch 8",
                   "npq bench kernels --only messages --nodes 16,64,256 --batch 8",
                   "npq bench kernels --simd reference --json"},
                  [flags] {
                    auto finished = flags->command;
                    finished.sizes = integers_of(flags->sizes, "--nodes");
                    for (const int size : finished.sizes)
                      if (size < 1) throw UsageError("--nodes has {}; expected at least 1", size);
                    if (finished.batch < 1)
                      throw UsageError("--batch is {}; expected at least 1", finished.batch);
                    if (!finished.simd.empty()) parse_simd_level(finished.simd);
                    return run_bench_kernels(finished);
                  });
  auto& fields = flags->command;
  command->add_option("--nodes", flags->sizes, "sizes of the graphs")
      ->type_name("N,N")
      ->capture_default_str();
  command->add_option("--only", fields.only, "these kernels, as the table calls them")
      ->delimiter(',')
      ->type_name("NAME,NAME");
  command->add_option("--batch", fields.batch, "graphs side by side")->capture_default_str();
  command->add_option("--repeats", fields.repeats, "the best of this many")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--threads", fields.threads, "threads (0: all)")->capture_default_str();
  command->add_option("--simd", fields.simd, "force a level: reference, avx2, avx512, amx")
      ->type_name("LEVEL");
  command->add_flag("--json", fields.json, "as JSON");
  command->add_flag("--quiet", fields.quiet, "no progress");
}

void add_check(Cli& cli) {
  auto flags = std::make_shared<CheckFlags>();
  auto* command = cli.command(
      cli.root(), "check", engine_help("check"),
      {"npq check", "npq check --algorithm dijkstra,mst_prim --processor mpnn --memory npq_w",
       "npq check --algorithm heapsort --nodes 6  # eighty steps multiply every rounding",
       "npq check --simd reference --steps 10"},
      [flags] { return run_check(finished(*flags)); });
  const auto list = [&](const char* flag, std::vector<std::string>& field, const char* help) {
    command->add_option(flag, field, help)
        ->delimiter(',')
        ->type_name("NAME,NAME")
        ->capture_default_str();
  };
  list("--algorithm", flags->algorithms, "which algorithms (npq list algorithms)");
  list("--processor", flags->processors, "with which processors (npq list processors)");
  list("--memory", flags->memories, "with which memories (npq list memories)");
  const auto number = [&](const char* flag, std::int64_t& field, const char* help) {
    command->add_option(flag, field, help)->capture_default_str();
  };
  number("--steps", flags->command.steps, "updates of each");
  number("--batch", flags->batch, "samples per update");
  number("--hidden", flags->hidden, "hidden size");
  command->add_option("--nodes", flags->nodes, "size of the graphs (0: the benchmark's, 16)")
      ->capture_default_str();
  command->add_option("--threads", flags->command.threads, "threads (0: all)")
      ->capture_default_str();
  command->add_option("--simd", flags->command.simd, "force a level: reference, avx2, avx512, amx")
      ->type_name("LEVEL");
  command->add_flag("--json", flags->command.json, "as JSON");
  command->add_flag("--quiet", flags->command.quiet, "no progress");
}

}  // namespace npq::app
