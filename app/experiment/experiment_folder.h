#pragma once
#include <cstdio>

#include "app/experiment/experiment_options.h"

// Files in an experiment's folder (--out) that its commands share.
namespace npq::app {

/// Makes the folder; an Error names the part of its path that cannot be made, and why.
void make_out(const std::filesystem::path& out);
/// Makes it, and keeps the options of the plan in its plan.json; run and submit do so.
void keep_options(const ExperimentOptions& options, const std::filesystem::path& out,
                  const experiment::Plan& plan);

/// The plan of the command line; without options, that of the folder's plan.json, and a line
/// on `notice` names its options. A file that cannot be used is ignored with a sentence on
/// standard error.
experiment::Plan plan_of_folder(const ExperimentOptions& options, std::FILE* notice);

/// Help on the above, for a command's footer.
extern const char* const kPlanOfFolder;
/// Options of run that do not concern its plan: accepted and ignored, so that a command line
/// with another word for `run` is one.
void bind_passed_over(CLI::App* command);

}  // namespace npq::app
