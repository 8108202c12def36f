#include "npq/train/run_config.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "npq/base/atomic_file.h"
#include "npq/base/error.h"

namespace npq::train {
namespace {

/// What a run whose config.json was removed has left would be taken for the new run's.
void check_empty(const RunPaths& paths) {
  for (const auto& path : {paths.state(), paths.best(), paths.last(), paths.result(),
                           paths.metrics(), paths.evaluation()}) {
    if (!std::filesystem::exists(path)) continue;
    throw Error("'{}' is left of a run without config.json; remove it or choose another --out",
                path.string());
  }
}

}  // namespace

RunFolder begin_run(const std::filesystem::path& folder, const nlohmann::json& config) {
  auto run = RunFolder::create(folder);
  check_empty(run.paths());
  write_config(run.paths(), config);
  return run;
}

nlohmann::json read_config(const RunPaths& paths) {
  std::ifstream file(paths.config());
  auto json = nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    throw Error("'{}' is no JSON object; the run folder is damaged", paths.config().string());
  return json;
}

void write_config(const RunPaths& paths, const nlohmann::json& config) {
  write_file(paths.config(), config.dump(2) + "\n");
}

}  // namespace npq::train
