#pragma once
#include <filesystem>
#include <optional>

#include "npq/experiment/plan.h"

// OUT/plan.json: the options with which the runs of a folder were last worked on, so that
// npq experiment status needs no options.
namespace npq::experiment {

std::filesystem::path plan_file(const std::filesystem::path& out);
void write_plan_options(const std::filesystem::path& out, const std::string& experiment,
                        const PlanOptions& options);
/// Nothing if there is no such file; an Error if it is damaged or of another experiment.
std::optional<PlanOptions> read_plan_options(const std::filesystem::path& out,
                                             const std::string& experiment);

/// As the command line takes them: "--only", "NPQ_W$", "--seeds", "1,2".
std::vector<std::string> words_of(const PlanOptions& options);

}  // namespace npq::experiment
