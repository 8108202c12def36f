#pragma once
#include <optional>
#include <string>

#include "app/cli.h"
#include "npq/experiment/plan.h"
#include "npq/experiment/status.h"

namespace npq::app {

/// What all commands on one experiment share: which one, which part of it, where it lies.
struct ExperimentOptions {
  std::string name;
  std::string only, seeds, sizes, set;
  std::optional<std::int64_t> steps, samples;
  std::string out;                  // empty: runs/NAME
  std::string results = "results";  // committed results, in NAME below it

  experiment::Plan plan() const;
  experiment::Places places(const experiment::Plan& plan) const;
  /// The same words again, for the shell of another process.
  std::vector<std::string> words() const;
};

void bind(CLI::App* command, ExperimentOptions& options);

/// Every combination of options in the plan, tried as npq train would read it: a UsageError before
/// the first run starts.
void check_flags(const experiment::Plan& plan);

}  // namespace npq::app
