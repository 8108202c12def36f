// npq check: every update of the fused path beside the composed one, from the same weights.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/engine/engine.h"
#include "app/terminal.h"
#include "npq/base/simd.h"
#include "npq/train/measuring/estimate.h"
#include "npq/train/measuring/lockstep.h"

namespace npq::app {
namespace {

/// A table whose rows appear one by one, so that a stopped check has shown its results so far.
class Columns {
 public:
  explicit Columns(const std::vector<train::TrainOptions>& combinations) {
    for (const auto& options : combinations) {
      algorithm_ = std::max(algorithm_, options.algorithm.size());
      processor_ = std::max(processor_, options.model.processor.name.size());
      memory_ = std::max(memory_, options.memory.name.size());
    }
  }

  void head() const {
    fmt::print("{}\n", paint(line("algorithm", "processor", "memory", "loss", "gradient", "kinks",
                                  "worst parameter"),
                             Colour::Bold));
  }

  void row(const train::TrainOptions& options, const train::LockstepDifference& largest,
           const char* objection) const {
    fmt::print("{}{}\n",
               line(options.algorithm, options.model.processor.name, options.memory.name,
                    fmt::format("{:.1e}", largest.loss), fmt::format("{:.1e}", largest.gradient),
                    std::to_string(largest.kinks), largest.worst),
               *objection == 0 ? "" : fmt::format("  {}", paint(objection, Colour::Red)));
    std::fflush(stdout);
  }

 private:
  std::string line(const std::string& algorithm, const std::string& processor,
                   const std::string& memory, const std::string& loss, const std::string& gradient,
                   const std::string& kinks, const std::string& worst) const {
    return fmt::format("{:<{}}  {:<{}}  {:<{}}  {:>7}  {:>8}  {:>5}  {}", algorithm, algorithm_,
                       processor, processor_, memory, memory_, loss, gradient, kinks, worst);
  }

  std::size_t algorithm_ = 9, processor_ = 9, memory_ = 6;  // at least the titles
};

}  // namespace

int run_check(const CheckCommand& command) {
  const int threads = use_threads(command.threads);
  std::optional<ScopedSimdLevel> level;
  if (!command.simd.empty()) level.emplace(parse_simd_level(command.simd));
  const auto bounds = train::lockstep_bounds(active_simd_level());

  for (const auto& options : command.combinations) train::check_training_fits(options);
  const Columns columns(command.combinations);
  if (!command.json) columns.head();
  auto results = nlohmann::json::array();
  bool all_within = true;
  for (const auto& options : command.combinations) {
    ProgressBar bar(fmt::format("{} {} {}", options.algorithm, options.model.processor.name,
                                options.memory.name),
                    command.steps, command.quiet);
    const auto largest = train::run_lockstep(
        options, command.steps,
        [&](const train::LockstepDifference& found) { bar.update(found.step + 1); });
    bar.clear();
    const bool tells = 2 * largest.kinks <= command.steps;
    const bool within = largest.loss <= bounds.loss && largest.gradient <= bounds.gradient && tells;
    all_within = all_within && within;
    if (!command.json)
      columns.row(options, largest, within ? "" : tells ? "out of bounds" : "too many kinks");
    results.push_back({{"algorithm", options.algorithm},
                       {"processor", options.model.processor.name},
                       {"memory", options.memory.name},
                       {"loss", largest.loss},
                       {"gradient", largest.gradient},
                       {"kinks", largest.kinks},
                       {"worst_parameter", largest.worst},
                       {"worst_step", largest.step},
                       {"within", within}});
  }
  if (command.json) {
    const nlohmann::json answer = {
        {"simd", simd_level_name(active_simd_level())},
        {"threads", threads},
        {"steps", command.steps},
        {"bounds", {{"loss", bounds.loss}, {"gradient", bounds.gradient}}},
        {"results", results},
        {"within", all_within}};
    fmt::print("{}\n", answer.dump(2));
    return all_within ? 0 : 1;
  }
  fmt::print(
      "{}: largest relative differences in {} updates each; bounds: loss {:.0e}, gradient "
      "{:.0e}: {}\n"
      "kinks: updates whose gradient plain torch operations do not agree on with themselves when "
      "the weights change in their last bits; loss and gradient are those of the others. Where "
      "more than half are such, smaller graphs (--nodes) tell more\n",
      simd_level_name(active_simd_level()), command.steps, bounds.loss, bounds.gradient,
      all_within ? "all within" : "NOT all within");
  return all_within ? 0 : 1;
}

}  // namespace npq::app
