#pragma once
#include <filesystem>

#include "npq/report/run.h"

namespace npq::report {

/// Adds what RUN/evaluation.json says to the tests of a run: of several at one size the one on most
/// samples. What is left out or old is a warning of the run; a damaged file is an Error.
void read_evaluation(Run& run, const std::filesystem::path& path);

}  // namespace npq::report
