#pragma once
#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "npq/report/run.h"

// A finished run of an experiment as one small file, to be kept in the project: what a report shows
// of it, without its weights. Named seedS.json, below
// RESULTS/EXPERIMENT/ALGORITHM/PROCESSOR/METHOD; docs/experiments.md describes it.
namespace npq::report {

/// The file's content. An Error if the run is not finished, not tested or of no experiment.
std::string result_text(const Run& run);

/// The run in such a file, trusted no more than a run folder. An Error if it is none.
Run read_result_file(const std::filesystem::path& path);

/// Whether a file is named like one.
bool is_result_file(const std::filesystem::path& path);

}  // namespace npq::report
