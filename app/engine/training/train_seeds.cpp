// npq train --seeds: the same model with several seeds.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/engine/training/open_run.h"
#include "app/engine/training/train_run.h"
#include "app/table.h"
#include "app/terminal.h"
#include "npq/base/files/run_files.h"

namespace npq::app {
namespace {

using nlohmann::json;

struct SeedResult {
  std::uint64_t seed;
  std::string folder;
  json result;
};

std::string number_text(const json& result, const char* key, const char* format) {
  const auto number = number_at(result, key);
  return number ? fmt::format(fmt::runtime(format), *number) : "-";
}

void print_seeds(const std::vector<SeedResult>& all) {
  std::vector<std::vector<std::string>> rows = {
      {"seed", "steps", "best validation", "at step", "time", "run"}};
  double sum = 0, squares = 0;
  for (const auto& one : all) {
    const double best = number_at(one.result, "best_val").value_or(0);
    sum += best;
    squares += best * best;
    rows.push_back({std::to_string(one.seed), number_text(one.result, "steps", "{:.0f}"),
                    number_text(one.result, "best_val", "{:.4f}"),
                    number_text(one.result, "best_step", "{:.0f}"),
                    human_seconds(number_at(one.result, "seconds").value_or(0)), one.folder});
  }
  fmt::print("{}", table(rows, {0, 1, 2, 3}));
  const auto count = static_cast<double>(all.size());
  fmt::print("best validation over {} seeds: {:.4f} ± {:.4f} (standard deviation)\n", all.size(),
             sum / count, std::sqrt(std::max(0.0, squares / count - sum * sum / count / count)));
}

}  // namespace

int run_train_seeds(const TrainCommand& given, const json& about,
                    const std::shared_ptr<train::Ranks>& ranks) {
  std::vector<SeedResult> all;
  for (const auto seed : given.seeds) {
    auto command = given;
    command.options.seed = seed;
    const auto folder = command.folder();
    ShownRun shown{.folder = folder, .quiet = command.quiet};
    if (const auto trainer = open_run(command, folder, about, ranks, shown.resuming)) {
      if (train_with_progress(*trainer, shown) == train::Ending::Stopped) {
        fmt::print("the same command goes on with all seeds\n");
        return 1;
      }
    } else {
      fmt::print("{}: finished already\n", folder);
    }
    if (ranks->is_first()) all.push_back({seed, folder, read_result(RunPaths{folder})});
  }
  if (ranks->is_first()) print_seeds(all);
  return 0;
}

}  // namespace npq::app
