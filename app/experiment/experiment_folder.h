#pragma once
#include <cstdio>

#include "app/experiment/experiment_options.h"

// What the commands on one experiment leave in its folder (--out) for each other.
namespace npq::app {

/// Makes the folder; an Error names the part of its path that cannot be made, and why.
void make_out(const std::filesystem::path& out);
/// Makes it, and keeps the options of the plan in its plan.json; run and submit do so.
void keep_options(const ExperimentOptions& options, const std::filesystem::path& out,
                  const experiment::Plan& plan);

/// The plan as asked for; where nothing was asked for, that of the folder's plan.json, and a line
/// on `notice` names its options. A file that is of no use is passed over with a sentence on
/// standard error.
experiment::Plan plan_of_folder(const ExperimentOptions& options, std::FILE* notice);

/// Help on the above, for a command's footer.
extern const char* const kPlanOfFolder;
/// Options of run that say nothing about its plan: taken and passed over, so that a command line
/// with another word for `run` is one.
void bind_passed_over(CLI::App* command);

}  // namespace npq::app
