#pragma once
#include <filesystem>
#include <optional>

#include "npq/experiment/experiment.h"

namespace npq::experiment {

/// One run of a plan, as `npq train` or `npq peptides train` will be called.
struct PlannedRun {
  std::string algorithm, processor, method;
  std::uint64_t seed = 1;
  std::int64_t steps = 0;  // or epochs
  Flags flags;             // all but algorithm, processor, seed and steps
  std::string why;         // the method's
  Tests tests;             // without ablations where there is no memory

  const RunKind& kind() const { return run_kind(algorithm); }
  /// What its length is counted in, as options and files call it: "steps" or "epochs".
  std::string counted_in() const { return kind().length(); }
  /// The words after `npq`: "train", or "peptides", "train".
  std::vector<std::string> command() const;

  /// "dijkstra/mpnn/NPQ_W": what --only is searched in.
  std::string model() const;
  /// "dijkstra/mpnn/NPQ_W/seed1": what the run is called.
  std::string key() const;
  /// The key as a folder below another: spaces become '_'.
  std::filesystem::path folder() const;
  /// All words after the command, except the output folder and the options of display.
  std::vector<std::string> arguments() const;
};

/// What a call changes in the experiment.
struct PlanOptions {
  std::string only;                  // a regular expression, searched in model()
  std::vector<std::uint64_t> seeds;  // empty: the experiment's own, and so on
  std::optional<std::int64_t> steps;
  std::vector<int> sizes;
  std::optional<std::int64_t> samples;  // nothing: as many as the official test sets have
  Flags flags;                          // for all runs; they win
};

struct Plan {
  std::string name, title;
  std::vector<PlannedRun> runs;  // all of the first seed, then all of the second: early answers
};

/// A UsageError if nothing is left to do or two runs would be the same.
Plan make_plan(const Experiment& experiment, const PlanOptions& options = {});

}  // namespace npq::experiment
