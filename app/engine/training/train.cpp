// npq train: one run, with progress, Ctrl-C and resume.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "app/about.h"
#include "app/engine/engine.h"
#include "app/engine/training/open_run.h"
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
#include "npq/train/ranks/alike.h"

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

/// What must be the same for all ranks.
nlohmann::json facts_of(const TrainCommand& command) {
  auto facts = train::to_json(command.options);
  facts.update(own_program());
  facts["resume"] = command.resume;
  facts["changes"] = command.changes;
  facts["seeds"] = command.seeds;
  return facts;
}

int train_with(TrainCommand command, const std::shared_ptr<train::Ranks>& ranks) {
  auto& options = command.options;
  const int threads = use_threads(command.threads, ranks_here(command.ranks));
  command.quiet = command.quiet || !ranks->is_first();
  std::optional<ScopedSimdLevel> level;
  if (!command.simd.empty()) level.emplace(parse_simd_level(command.simd));
  if (!command.match_parameters.empty())
    options.memory =
        memory::match_parameters(options.memory, memory::memory_options(command.match_parameters),
                                 2 * options.model.hidden, options.model.hidden);
  if (command.dry_run) {
    train::check_training_fits(options);
    return dry_run(command);
  }
  const auto about = app::about(threads);
  train::check_alike(*ranks, facts_of(command));
  const bool resuming = !command.resume.empty();
  if (ranks->is_first()) {
    if (resuming)
      train::check_resumed_training_fits(command.resume);
    else
      train::check_training_fits(options, command.folder());
  }
  if (!command.seeds.empty()) return run_train_seeds(command, about, ranks);
  ShownRun shown{.folder = command.folder(), .resuming = resuming, .quiet = command.quiet};
  const auto trainer = resuming ? train::resume_run(command.resume, command.changes, ranks)
                       : is_requeued()
                           ? open_run(command, shown.folder, about, ranks, shown.resuming)
                           : train::start_run(shown.folder, options, about, ranks);
  if (!trainer) {
    fmt::print("{}: finished already\n", shown.folder);
    return 0;
  }
  return train_with_progress(*trainer, shown) == train::Ending::Stopped ? 1 : 0;
}

}  // namespace

int run_train(const TrainCommand& command) {
  for (const auto& note : command.notes) complain(note);
  if (command.dry_run) return train_with(command, std::make_shared<train::Ranks>());
  return with_ranks(command.ranks, [&](const auto& ranks) { return train_with(command, ranks); });
}

}  // namespace npq::app
