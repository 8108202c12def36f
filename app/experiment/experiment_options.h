#pragma once
#include <optional>
#include <string>

#include "app/cli.h"
#include "npq/experiment/plan.h"
#include "npq/experiment/status.h"

namespace npq::app {

/// What all commands on one experiment share: which one, which part of it, its folders.
struct ExperimentOptions {
  std::string name;
  std::string only, seeds, sizes, set;
  std::optional<std::int64_t> steps, samples;
  std::string out;                  // empty: runs/NAME
  std::string results = "results";  // committed results, in NAME below it

  /// What the command line changes in the experiment.
  experiment::PlanOptions asked() const;
  experiment::Plan plan() const;
  /// `experiment`: its name, without the path of its file.
  experiment::Places places(const std::string& experiment) const;
  /// The same options as words for the shell of another process.
  std::vector<std::string> words() const;
};

void bind(CLI::App* command, ExperimentOptions& options);

/// Checks every combination of options in the plan as npq train would, and the test sizes against
/// the algorithms: a UsageError before the first run starts.
void check_plan(const experiment::Plan& plan);

/// A table of the methods and why they are in the experiment; empty if it does not say.
std::string reasons(const experiment::Plan& plan);

/// A UsageError unless the runs of the plan can be trained by so many processes each.
void check_ranks(const experiment::Plan& plan, int ranks);

/// "1 run", "2 runs".
std::string counted(std::size_t count, const std::string& what);

}  // namespace npq::app
