// npq check: every update of the fused path beside the composed one, from the same weights.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "app/engine/engine.h"
#include "app/terminal.h"
#include "npq/base/simd.h"
#include "npq/train/lockstep.h"

namespace npq::app {

int run_check(const CheckCommand& command) {
  const int threads = use_threads(command.threads);
  std::optional<ScopedSimdLevel> level;
  if (!command.simd.empty()) level.emplace(parse_simd_level(command.simd));
  const auto bounds = train::lockstep_bounds(active_simd_level());

  std::vector<std::vector<std::string>> rows = {
      {"algorithm", "processor", "memory", "loss", "gradient", "worst parameter", ""}};
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
    const bool within = largest.loss <= bounds.loss && largest.gradient <= bounds.gradient;
    all_within = all_within && within;
    rows.push_back({options.algorithm, options.model.processor.name, options.memory.name,
                    fmt::format("{:.1e}", largest.loss), fmt::format("{:.1e}", largest.gradient),
                    largest.worst, within ? "" : paint("out of bounds", Colour::Red)});
    results.push_back({{"algorithm", options.algorithm},
                       {"processor", options.model.processor.name},
                       {"memory", options.memory.name},
                       {"loss", largest.loss},
                       {"gradient", largest.gradient},
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
  fmt::print("{}", table(rows, {3, 4}));
  fmt::print(
      "{}: largest relative differences in {} updates each; bounds: loss {:.0e}, gradient "
      "{:.0e}: {}\n",
      simd_level_name(active_simd_level()), command.steps, bounds.loss, bounds.gradient,
      all_within ? "all within" : "NOT all within");
  return all_within ? 0 : 1;
}

}  // namespace npq::app
