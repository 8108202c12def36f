#include "app/engine/training/open_run.h"

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "npq/base/error.h"
#include "npq/base/files/run_files.h"
#include "npq/train/loop/runs.h"

namespace npq::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

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

bool is_finished(const RunPaths& paths, const train::TrainOptions& options) {
  if (!fs::exists(paths.config())) return false;
  const auto config = read_config(paths);
  check_same_options(config, options, paths.folder.string());
  return config.value("steps", json()) == options.steps && fs::exists(paths.result());
}

}  // namespace

std::unique_ptr<train::Trainer> open_run(const TrainCommand& command, const std::string& folder,
                                         const json& about,
                                         const std::shared_ptr<train::Ranks>& ranks,
                                         bool& resuming) {
  // The others may not even see the folder.
  const RunPaths paths{folder};
  const bool finished = ranks->is_first() && is_finished(paths, command.options);
  if (!ranks->from_first(finished ? "finished" : "").empty()) return nullptr;
  resuming = fs::exists(paths.config());
  if (!resuming) return train::start_run(folder, command.options, about, ranks);
  return train::resume_run(folder, {{"steps", std::to_string(command.options.steps)}}, ranks);
}

bool is_requeued() {
  const char* turns = std::getenv("SLURM_RESTART_COUNT");
  return turns != nullptr && std::atoi(turns) > 0;
}

}  // namespace npq::app
