#include "app/experiment/experiment_folder.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "npq/base/error.h"
#include "npq/base/shell.h"
#include "npq/experiment/catalog.h"
#include "npq/experiment/plan_file.h"
#include "npq/experiment/slurm.h"

namespace npq::app {
namespace {

namespace fs = std::filesystem;

/// The outermost missing folder of a path: the one that could not be made.
fs::path first_missing(const fs::path& path) {
  std::error_code ignored;
  fs::path at;
  for (const auto& part : path) {
    at /= part;
    if (!fs::is_directory(at, ignored)) return at;
  }
  return path;
}

/// Nothing if the folder has no usable options.
std::optional<experiment::Plan> kept_plan(const ExperimentOptions& options, std::FILE* notice) {
  const auto experiment = experiment::find_experiment(options.name);
  const auto out = options.places(experiment.name).out;
  try {
    const auto kept = experiment::read_plan_options(out, experiment.name);
    const auto words = kept ? experiment::words_of(*kept) : std::vector<std::string>();
    if (words.empty()) return std::nullopt;
    auto plan = experiment::make_plan(experiment, *kept);
    std::string line = "as in " + experiment::plan_file(out).string() + ":";
    for (const auto& word : words) line += " " + shell_quoted(word);
    fmt::print(notice, "{}\n", line);
    return plan;
  } catch (const Error& error) {
    fmt::print(stderr, "npq: the options of the last run are not known: {}; this is the whole {}\n",
               error.what(), experiment.name);
    return std::nullopt;
  }
}

}  // namespace

void make_out(const fs::path& out) {
  std::error_code error, ignored;
  fs::create_directories(out, error);
  if (fs::is_directory(out, ignored)) return;
  const auto missing = first_missing(out);
  const bool file = fs::exists(missing, ignored);
  throw Error(
      "the runs are to lie in '{}', but the folder '{}' cannot be created: {}; choose "
      "another --out",
      out.string(), missing.string(), file ? "a file of that name is there" : error.message());
}

const char* const kPlanOfFolder =
    "\n\nWithout --only, --seeds, --steps, --sizes, --samples and --set these are as in the last "
    "run\nor submit on the folder (its plan.json); with any of them, the command line alone "
    "counts.\n--workers, --threads and --quiet of run are accepted and ignored.";

void keep_options(const ExperimentOptions& options, const fs::path& out,
                  const experiment::Plan& plan) {
  make_out(out);
  experiment::write_plan_options(out, plan.name, options.asked());
}

experiment::Plan plan_of_folder(const ExperimentOptions& options, std::FILE* notice) {
  if (experiment::words_of(options.asked()).empty())
    if (auto kept = kept_plan(options, notice)) return std::move(*kept);
  return options.plan();
}

void bind_passed_over(CLI::App* command) {
  for (const auto* name : {"--workers", "--threads"})
    command
        ->add_option_function<std::string>(
            name, [](const std::string&) {}, "of run; ignored")
        ->type_name("N");
  command->add_flag_function(
      "--quiet", [](std::int64_t) {}, "of run; ignored");
}

}  // namespace npq::app
