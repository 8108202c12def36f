#include "app/experiment/experiment_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <set>

#include "app/table.h"
#include "npq/base/error.h"
#include "npq/clrs/catalog.h"
#include "npq/experiment/catalog.h"
#include "npq/experiment/plan_file.h"
#ifdef NPQ_WITH_ENGINE
#include "app/trained_options.h"
#include "npq/memory/ablation.h"
#include "npq/memory/catalog.h"
#endif

namespace npq::app {

experiment::PlanOptions ExperimentOptions::asked() const {
  return {.only = only,
          .seeds = seeds_in(seeds),
          .steps = steps,
          .sizes = integers_of(sizes, "--sizes"),
          .samples = samples,
          .flags = experiment::parse_flags(set)};
}

experiment::Plan ExperimentOptions::plan() const {
  return experiment::make_plan(experiment::find_experiment(name), asked());
}

experiment::Places ExperimentOptions::places(const std::string& experiment) const {
  return {.out = out.empty() ? "runs/" + experiment : out, .results = results};
}

std::vector<std::string> ExperimentOptions::words() const {
  std::vector<std::string> words = experiment::words_of(asked());
  words.insert(words.begin(), name);
  const auto add = [&](const char* flag, const std::string& value) {
    if (value.empty()) return;
    words.emplace_back(flag);
    words.push_back(value);
  };
  add("--out", out);
  add("--results", results);
  return words;
}

namespace {

/// An empty list is refused: it is probably an unset variable of a shell script.
std::string no_empty_list(const std::string& text) {
  return text.empty() ? "is empty; expected numbers such as 1,2" : "";
}

void check_sizes(const experiment::Plan& plan) {
  for (const auto& run : plan.runs) {
    if (run.algorithm == kPeptides) continue;
    const int least = clrs::find_algorithm(run.algorithm).minimum_length;
    for (const int size : run.tests.sizes)
      if (size < least)
        throw UsageError("{} cannot be tested at size {}; expected --sizes from {}", run.algorithm,
                         size, least);
  }
}

#ifdef NPQ_WITH_ENGINE
/// A run's options, read as npq train or npq peptides train would read them.
void check_options(const experiment::PlannedRun& run) {
  GivenOptions given(run.flags.begin(), run.flags.end());
  given["algorithm"] = run.algorithm;
  given["processor"] = run.processor;
  given[run.counted_in()] = std::to_string(run.steps);
  std::vector<std::string> notes;
  for (const auto& name : run.tests.ablate)
    if (memory::ablations_in(name).empty())
      throw UsageError("\"ablate\" holds {}; expected names such as zero and empty", name);
  if (run.algorithm == kPeptides) {
    options_of_peptides_train(given, {}, notes);
    return;
  }
  // Not an option of a run: it decides another one, the width of the memory.
  if (const auto match = given.extract("match-parameters")) memory::find_row(match.mapped());
  options_of_train(given, {}, notes);
}
#endif

}  // namespace

void bind(CLI::App* command, ExperimentOptions& options) {
  command
      ->add_option("name", options.name,
                   "an experiment of npq experiment list, or the path of a file like those in "
                   "experiments/")
      ->type_name("NAME")
      ->required();
  command
      ->add_option("--only", options.only,
                   "only runs in whose ALGORITHM/PROCESSOR/METHOD this is found (empty: all)")
      ->type_name("REGEX");
  command->add_option("--seeds", options.seeds, "other seeds than the experiment's")
      ->type_name("S,S")
      ->check(no_empty_list);
  command
      ->add_option("--steps,--epochs", options.steps, "other updates per run; epochs, of peptides")
      ->type_name("N");
  command->add_option("--sizes", options.sizes, "other sizes of the test sets")
      ->type_name("N,N")
      ->check(no_empty_list);
  command
      ->add_option("--samples", options.samples,
                   "test on the first K of each set (default: as many as the official one has)")
      ->type_name("K");
  command
      ->add_option("--set", options.set,
                   "options of npq train for all runs, e.g. preset=reference,hidden=64")
      ->type_name("OPTION=X,...");
  command->add_option("--out", options.out, "folder of the run folders (default: runs/NAME)")
      ->type_name("DIR");
  command
      ->add_option("--results", options.results,
                   "folder of committed results: what is finished there is not run again")
      ->type_name("DIR")
      ->capture_default_str();
}

void check_plan(const experiment::Plan& plan) {
#ifdef NPQ_WITH_ENGINE
  std::set<std::string> seen;
  for (const auto& run : plan.runs) {
    if (!seen.insert(run.model()).second) continue;
    try {
      check_options(run);
    } catch (const UsageError& error) {
      throw UsageError("{}; so the experiment {} cannot run {}; put its options right",
                       error.what(), plan.name, run.model());
    }
  }
#endif
  check_sizes(plan);
}

std::string reasons(const experiment::Plan& plan) {
  std::vector<std::vector<std::string>> rows = {{"method", "why it is there"}};
  for (const auto& run : plan.runs) {
    const std::vector<std::string> row = {run.method, run.why};
    if (!run.why.empty() && std::find(rows.begin(), rows.end(), row) == rows.end())
      rows.push_back(row);
  }
  return rows.size() == 1 ? "" : table(rows);
}

void check_ranks(const experiment::Plan& plan, int ranks) {
  if (ranks < 1) throw UsageError("--ranks is {}; expected at least 1", ranks);
  for (const auto& run : plan.runs)
    if (ranks > 1 && !run.kind().counts_steps())
      throw UsageError("{} is on peptides, which one process trains; leave out --ranks",
                       run.model());
}

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace npq::app
