// npq train: one run, with progress, Ctrl-C and resume.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "app/about.h"
#include "app/engine/engine.h"
#include "app/engine/training/train_run.h"
#include "app/output.h"
#include "app/table.h"
#include "app/terminal.h"
#include "npq/base/simd.h"
#include "npq/memory/factory.h"
#include "npq/train/loop/runs.h"
#include "npq/train/measuring/estimate.h"
#include "npq/train/measuring/speed.h"
#include "npq/train/network.h"

namespace npq::app {
namespace {

void print_config(const train::TrainOptions& options) {
  std::vector<std::vector<std::string>> rows = {{"option", "value"}};
  const auto config = train::to_json(options);
  for (const auto& [key, value] : config.items())
    rows.push_back({key, value.is_string() ? value.get<std::string>() : value.dump()});
  fmt::print("{}", table(rows));
}

std::int64_t count(const ops::ParameterStore& store, std::string_view prefix) {
  std::int64_t sum = 0;
  for (const auto& entry : store)
    if (entry.name.starts_with(prefix)) sum += entry.value.numel();
  return sum;
}

void print_parameters(const ops::ParameterStore& store) {
  std::vector<std::vector<std::string>> rows = {{"part", "parameters"}};
  for (const char* part : {"encoder/", "processor/", "memory/", "decoder/"})
    if (const auto parameters = count(store, part); parameters > 0)
      rows.push_back(
          {std::string(part, std::string_view(part).size() - 1), std::to_string(parameters)});
  rows.push_back({"total", std::to_string(count(store, ""))});
  fmt::print("{}", table(rows, {1}));
}

/// Times a few updates without leaving anything behind.
int dry_run(const TrainCommand& command) {
  print_config(command.options);
  const train::Network network(command.options);
  print_parameters(network.store);
  const double seconds = train::time_update(command.options, {.repeats = 3}).median_seconds;
  fmt::print("one update takes {} here, {} of them about {}; peak memory {}\n",
             human_seconds(seconds), command.options.steps,
             human_seconds(seconds * static_cast<double>(command.options.steps)),
             human_bytes(static_cast<double>(train::peak_bytes())));
  return 0;
}

}  // namespace

int run_train(const TrainCommand& given) {
  TrainCommand command = given;
  auto& options = command.options;
  const int threads = use_threads(command.threads);
  std::optional<ScopedSimdLevel> level;
  if (!command.simd.empty()) level.emplace(parse_simd_level(command.simd));
  if (!command.match_parameters.empty())
    options.memory =
        memory::match_parameters(options.memory, memory::memory_options(command.match_parameters),
                                 2 * options.model.hidden, options.model.hidden);
  for (const auto& note : command.notes) complain(note);
  if (command.dry_run) {
    train::check_training_fits(options);
    return dry_run(command);
  }
  if (command.resume.empty())
    train::check_training_fits(options, command.folder());
  else
    train::check_resumed_training_fits(command.resume);

  if (!command.seeds.empty()) return run_train_seeds(command, about(threads));
  const bool resuming = !command.resume.empty();
  const auto trainer = resuming ? train::resume_run(command.resume, command.changes)
                                : train::start_run(command.folder(), options, about(threads));
  const auto ending = train_with_progress(
      *trainer, {.folder = command.folder(), .resuming = resuming, .quiet = command.quiet});
  return ending == train::Ending::Stopped ? 1 : 0;
}

}  // namespace npq::app
