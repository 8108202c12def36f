#pragma once
#include "npq/base/files/json_file.h"
#include "npq/base/files/run_folder.h"

namespace npq {

/// config.json and result.json of a run; an Error where there is no such file or no object in it.
inline nlohmann::json read_config(const RunPaths& paths) { return read_object(paths.config()); }
inline nlohmann::json read_result(const RunPaths& paths) { return read_object(paths.result()); }

}  // namespace npq
