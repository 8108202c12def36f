#include "npq/experiment/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "npq/base/error.h"

namespace npq::experiment {
namespace {

std::string reason(std::regex_constants::error_type code) {
  namespace rc = std::regex_constants;
  if (code == rc::error_brack) return ": a '[' is not closed";
  if (code == rc::error_escape) return ": a '\\' stands before nothing that it could mean";
  if (code == rc::error_brace || code == rc::error_badbrace)
    return ": a '{' is not as it should be";
  if (code == rc::error_paren || code == rc::error_badrepeat)
    return ": a '(' or ')' is alone, or a '*', '+' or '?' has nothing before it that it repeats";
  return "";
}

std::regex pattern_of(const std::string& only) {
  try {
    return std::regex(only);
  } catch (const std::regex_error& error) {
    // The library's own words are of no help: of '*' they say "Mismatched '(' and ')'".
    throw UsageError(
        "--only is '{}', which is not a regular expression (ECMAScript){}; expected one such as "
        "'NPQ_W$' or 'Baseline|NPQ_W'",
        only, reason(error.code()));
  }
}

/// What this algorithm's runs are tested on; sizes in order, each once.
Tests tests_of(const Block& block, const PlanOptions& options) {
  auto tests = block.tests;
  if (!options.sizes.empty()) tests.sizes = options.sizes;
  std::sort(tests.sizes.begin(), tests.sizes.end());
  tests.sizes.erase(std::unique(tests.sizes.begin(), tests.sizes.end()), tests.sizes.end());
  if (options.samples)
    for (const int size : tests.sizes) tests.samples[size] = *options.samples;
  std::erase_if(tests.samples, [&](const auto& entry) {
    return std::find(tests.sizes.begin(), tests.sizes.end(), entry.first) == tests.sizes.end();
  });
  return tests;
}

bool has_memory(const Flags& flags) {
  const auto memory = flags.find("memory");
  return memory != flags.end() && memory->second != "none";
}

std::vector<PlannedRun> runs_of(const Experiment& experiment, const PlanOptions& options,
                                std::uint64_t seed) {
  std::vector<PlannedRun> runs;
  for (const auto& block : experiment.blocks) {
    const auto tests = tests_of(block, options);
    for (const auto& algorithm : block.algorithms) {
      for (const auto& processor : block.processors) {
        for (const auto& method : block.methods) {
          PlannedRun run{.algorithm = algorithm,
                         .processor = processor,
                         .method = method.name,
                         .seed = seed,
                         .steps = options.steps.value_or(experiment.steps),
                         .flags = options.flags,
                         .why = method.why,
                         .tests = tests};
          run.flags.insert(method.flags.begin(), method.flags.end());
          run.flags.insert(experiment.flags.begin(), experiment.flags.end());
          if (!has_memory(run.flags)) run.tests.ablate.clear();
          runs.push_back(std::move(run));
        }
      }
    }
  }
  return runs;
}

}  // namespace

std::string PlannedRun::model() const {
  return fmt::format("{}/{}/{}", algorithm, processor, method);
}

std::string PlannedRun::key() const { return fmt::format("{}/seed{}", model(), seed); }

std::filesystem::path PlannedRun::folder() const {
  auto name = key();
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

std::vector<std::string> PlannedRun::command() const {
  std::istringstream words{std::string(kind().command)};
  return {std::istream_iterator<std::string>(words), {}};
}

std::vector<std::string> PlannedRun::arguments() const {
  std::vector<std::string> words = {"--algorithm",
                                    algorithm,
                                    "--processor",
                                    processor,
                                    "--seed",
                                    std::to_string(seed),
                                    fmt::format("--{}", counted_in()),
                                    std::to_string(steps)};
  for (const auto& [name, value] : flags) {
    words.push_back(fmt::format("--{}", name));
    if (value == "false")  // a switch takes no word of its own
      words.back() += "=false";
    else if (value != "true")
      words.push_back(value);
  }
  return words;
}

Plan make_plan(const Experiment& experiment, const PlanOptions& options) {
  if (options.steps && *options.steps < 1)
    throw UsageError("--steps is {}; expected at least 1", *options.steps);
  if (options.samples && *options.samples < 1)
    throw UsageError("--samples is {}; expected at least 1", *options.samples);
  for (const int size : options.sizes)
    if (size < 1 || size > kLargestSize)
      throw UsageError("--sizes has {}; expected numbers from 1 to {}", size, kLargestSize);
  if (experiment.tests.sizes.empty() && (!options.sizes.empty() || options.samples))
    throw UsageError("{} is tested while it trains; leave out --sizes and --samples",
                     experiment.name);
  Plan plan{.name = experiment.name, .title = experiment.title, .runs = {}};
  const auto only = pattern_of(options.only);
  std::set<std::filesystem::path> folders;
  for (const auto seed : options.seeds.empty() ? experiment.seeds : options.seeds) {
    for (auto& run : runs_of(experiment, options, seed)) {
      if (!std::regex_search(run.model(), only)) continue;
      if (!folders.insert(run.folder()).second)
        throw UsageError("'{}' is planned twice; give every method a name and every seed once",
                         run.key());
      plan.runs.push_back(std::move(run));
    }
  }
  if (plan.runs.empty())
    throw UsageError(
        "--only '{}' leaves nothing of the experiment {}; it is searched in names "
        "such as {}",
        options.only, experiment.name, runs_of(experiment, options, 1).front().model());
  return plan;
}

}  // namespace npq::experiment
