#include "npq/train/checkpoints/run_config.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "npq/base/error.h"
#include "npq/base/files/atomic_file.h"
#include "npq/base/files/json_file.h"

namespace npq::train {
namespace {

/// What a run whose config.json was removed has left would be taken for the new run's.
void check_empty(const RunPaths& paths) {
  for (const auto& path : {paths.state(), paths.best(), paths.last(), paths.average(),
                           paths.result(), paths.metrics(), paths.evaluation()}) {
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

void write_config(const RunPaths& paths, const nlohmann::json& config) {
  write_file(paths.config(), config.dump(2) + "\n");
}

bool change_options(nlohmann::json& config, const nlohmann::json& now, std::string_view counted,
                    std::int64_t step, std::string_view again) {
  nlohmann::json values, before;
  bool changed = false;
  for (const auto& [key, value] : now.items()) {
    if (config.contains(key) && config[key] == value && key != again) continue;
    changed = true;
    if (key != counted && config.contains(key)) {
      before[key] = config[key];
      values[key] = value;
    }
    config[key] = value;
  }
  if (values.empty() || step == 0) return changed;
  auto& changes = config["changes"];
  if (!changes.is_array()) changes = nlohmann::json::array();
  if (changes.empty() || changes.back().value("step", std::int64_t{-1}) != step)
    changes.push_back({{"step", step}});
  // Of two changes at the same step the first knows what held before it.
  auto& last = changes.back();
  before.update(last.value("before", nlohmann::json::object()));
  last.update(values);
  last["before"] = before;
  return true;
}

std::optional<double> changed_at(const nlohmann::json& config, const std::string& option,
                                 std::int64_t step) {
  const auto changes = config.find("changes");
  if (changes == config.end() || !changes->is_array()) return {};
  for (const auto& change : *changes)
    if (change.is_object() && count_at(change, "step") == step) return number_at(change, option);
  return {};
}

std::string advice_after_divergence(const RunKind& kind, const RunPaths& paths,
                                    std::int64_t failed_step,
                                    std::optional<std::int64_t> saved_step, double learning_rate) {
  const double slower = std::min(learning_rate / 10, 1e-3);
  const auto folder = (paths.folder / "").parent_path().string();
  if (saved_step && *saved_step < failed_step)
    return fmt::format("go on from step {} with: npq {} --resume {} --learning-rate {}",
                       *saved_step, kind.command, folder, slower);
  return fmt::format("start again with: npq {} --config {} --learning-rate {} --out {}_slower",
                     kind.command, paths.config().string(), slower, folder);
}

}  // namespace npq::train
