#pragma once
#include <span>

#include "npq/report/run.h"

namespace npq::report {

/// All runs below some folders, and why others could not be read.
struct RunSet {
  std::vector<Run> runs;  // by algorithm, processor, memory (none first), seed, folder
  std::vector<std::string> problems;
};

/// Finds every folder with a config.json or a metrics.jsonl at or below `folders`, and every
/// committed result (seedS.json), and reads it. Of runs with the same options and seed, such as a
/// run and its committed result, one counts.
/// What cannot be read is reported in one sentence, and the rest still appears; it is an Error if
/// nothing appears. Links to folders are not followed, and a run found twice counts once.
RunSet read_runs(std::span<const std::filesystem::path> folders);

}  // namespace npq::report
