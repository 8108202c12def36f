#pragma once
#include <nlohmann/json_fwd.hpp>

#include "npq/base/files/run_folder.h"

// RUN/evaluation.json: all test results of a run so far.
namespace npq {

/// The object in the file with its list "evaluations", without predictions; without the file,
/// an empty list. An Error if the file is damaged.
nlohmann::json read_evaluations(const RunPaths& paths);

/// Throws if the file could not be written: to be called before the work whose figures it keeps.
void check_evaluations_can_be_kept(const RunPaths& paths);

/// Adds `fresh` (an object with a list "evaluations") to the file, atomically and without
/// predictions, which are not read from there. A test replaces one of the same checkpoint, size,
/// samples and seed, except for its hints and ablations if only the old one has them (the model is
/// the same). Tests of a checkpoint after other steps are removed. Several processes may do this at
/// once.
void keep_evaluations(const RunPaths& paths, nlohmann::json fresh);

}  // namespace npq
