// npq train --seeds: the same model with several seeds.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "app/engine/training/train_command.h"
#include "app/engine/training/train_run.h"
#include "app/table.h"
#include "app/terminal.h"
#include "npq/base/error.h"
#include "npq/base/files/run_files.h"
#include "npq/train/loop/runs.h"

namespace npq::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct SeedResult {
  std::uint64_t seed;
  std::string folder;
  json result;
};

/// A folder with a run of other options must not be taken for this one. The number of steps may
/// differ: the run's own step decides.
void check_same_options(const json& config, const train::TrainOptions& options,
                        const std::string& folder) {
  // Both as they would be written today: earlier runs have fewer keys.
  const auto there = train::to_json(train::train_options(config, folder + "/config.json"));
  const auto wanted = train::to_json(options);
  const auto shown = [](const json& all, const std::string& key) {
    return all.contains(key) ? all[key].dump() : "none";
  };
  std::set<std::string> keys;
  for (const auto* all : {&there, &wanted})
    for (const auto& [key, value] : all->items()) keys.insert(key);
  for (const auto& key : keys) {
    if (key == "steps" || key == "init-checksum" || shown(there, key) == shown(wanted, key))
      continue;
    throw Error(
        "'{0}' holds a run with {1} {2}, but {3} is asked for; choose another --out, or go on with "
        "it alone: npq train --resume {0}",
        folder, key, shown(there, key), shown(wanted, key));
  }
}

/// A run to work on; nothing if it is finished.
std::unique_ptr<train::Trainer> open_run(const TrainCommand& command, const std::string& folder,
                                         const json& about, bool& resuming) {
  const RunPaths paths{folder};
  resuming = fs::exists(paths.config());
  if (!resuming) return train::start_run(folder, command.options, about);
  const auto config = read_config(paths);
  check_same_options(config, command.options, folder);
  const auto steps = command.options.steps;
  if (config.value("steps", json()) != steps)
    return train::resume_run(folder, {{"steps", std::to_string(steps)}});
  if (fs::exists(paths.result())) return nullptr;
  return train::resume_run(folder);
}

std::string number_text(const json& result, const char* key, const char* format) {
  const auto number = number_at(result, key);
  return number ? fmt::format(fmt::runtime(format), *number) : "-";
}

void print_seeds(const std::vector<SeedResult>& all) {
  std::vector<std::vector<std::string>> rows = {
      {"seed", "steps", "best validation", "at step", "time", "run"}};
  double sum = 0, squares = 0;
  for (const auto& one : all) {
    const double best = number_at(one.result, "best_val").value_or(0);
    sum += best;
    squares += best * best;
    rows.push_back({std::to_string(one.seed), number_text(one.result, "steps", "{:.0f}"),
                    number_text(one.result, "best_val", "{:.4f}"),
                    number_text(one.result, "best_step", "{:.0f}"),
                    human_seconds(number_at(one.result, "seconds").value_or(0)), one.folder});
  }
  fmt::print("{}", table(rows, {0, 1, 2, 3}));
  const auto count = static_cast<double>(all.size());
  fmt::print("best validation over {} seeds: {:.4f} ± {:.4f} (standard deviation)\n", all.size(),
             sum / count, std::sqrt(std::max(0.0, squares / count - sum * sum / count / count)));
}

}  // namespace

int run_train_seeds(const TrainCommand& given, const json& about) {
  std::vector<SeedResult> all;
  for (const auto seed : given.seeds) {
    auto command = given;
    command.options.seed = seed;
    const auto folder = command.folder();
    ShownRun shown{.folder = folder, .quiet = command.quiet};
    if (const auto trainer = open_run(command, folder, about, shown.resuming)) {
      if (train_with_progress(*trainer, shown) == train::Ending::Stopped) {
        fmt::print("the same command goes on with all seeds\n");
        return 1;
      }
    } else {
      fmt::print("{}: finished already\n", folder);
    }
    all.push_back({seed, folder, read_result(RunPaths{folder})});
  }
  print_seeds(all);
  return 0;
}

}  // namespace npq::app
