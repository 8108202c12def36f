#pragma once
#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "npq/base/run_folder.h"

// How a run begins and finds itself again: its folder and config.json.
namespace npq::train {

/// A new run folder with this config.json, written before every other file: whatever happens from
/// here on, the run can be resumed. What another run has left in the folder is an Error.
RunFolder begin_run(const std::filesystem::path& folder, const nlohmann::json& config);

/// The config.json of a run; an Error where it is no JSON object.
nlohmann::json read_config(const RunPaths& paths);
void write_config(const RunPaths& paths, const nlohmann::json& config);

}  // namespace npq::train
