#pragma once
#include <nlohmann/json_fwd.hpp>

#include "npq/base/files/run_folder.h"

// RUN/evaluation.json: what the tests of a run have said so far. They add up.
namespace npq {

/// The object in the file with its list "evaluations", predictions passed over; without the file,
/// an empty list. An Error where the file is damaged.
nlohmann::json read_evaluations(const RunPaths& paths);

/// Throws where nothing could be kept: to be called before the work whose figures are to be kept.
void check_evaluations_can_be_kept(const RunPaths& paths);

/// Adds `fresh` (an object with a list "evaluations") to the file, whole or not at all, without
/// predictions, which nobody reads there. A test of the same checkpoint, size, samples and seed
/// takes the place of the one that is there, but for what that alone has (hints, ablations: the
/// model is the same). Tests of a checkpoint as it was after other steps go. Several processes may
/// do this at once.
void keep_evaluations(const RunPaths& paths, nlohmann::json fresh);

}  // namespace npq
