#pragma once
#include <span>

#include "npq/report/run.h"

namespace npq::report {

/// All runs below some folders, and what stood in the way of others.
struct RunSet {
  std::vector<Run> runs;  // by algorithm, processor, memory (none first), seed, folder
  std::vector<std::string> problems;
};

/// Finds every folder with a config.json or a metrics.jsonl at or below `folders`, and every
/// committed result (seedS.json), and reads it. Of runs with the same options and seed, such as a
/// run and its committed result, one counts.
/// What cannot be read is a problem of one sentence, and the rest still appears; where nothing
/// appears it is an Error. Links to folders are not followed, and a run found twice counts once.
RunSet read_runs(std::span<const std::filesystem::path> folders);

}  // namespace npq::report
