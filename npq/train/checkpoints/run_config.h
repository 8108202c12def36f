#pragma once
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "npq/base/files/run_folder.h"
#include "npq/base/files/run_kind.h"

// How a run begins and finds itself again: its folder and config.json.
namespace npq::train {

/// A new run folder with this config.json, written before every other file: whatever happens from
/// here on, the run can be resumed. What another run has left in the folder is an Error.
RunFolder begin_run(const std::filesystem::path& folder, const nlohmann::json& config);

void write_config(const RunPaths& paths, const nlohmann::json& config);

/// Puts the options `now` into `config`. Those that were others before are noted in its list
/// "changes", {"step": `step`, NAME: now, "before": {NAME: before}}: they hold from that update on.
/// Nothing is noted of `counted`, the run's length, which changes nothing that was computed, nor
/// before the first update; `again` is noted even where it is as before, for a schedule may have
/// changed it since. Whether anything is to be noted.
bool change_options(nlohmann::json& config, const nlohmann::json& now, std::string_view counted,
                    std::int64_t step, std::string_view again = "");

/// The value of an option that was changed at this very step, if one was.
std::optional<double> changed_at(const nlohmann::json& config, const std::string& option,
                                 std::int64_t step);

/// How to get on after a loss that is no number: a whole command. A state of this very step would
/// only lose itself again.
std::string advice_after_divergence(const RunKind& kind, const RunPaths& paths,
                                    std::int64_t failed_step,
                                    std::optional<std::int64_t> saved_step, double learning_rate);

}  // namespace npq::train
