// npq data verify: the official splits, generated here, against published hashes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/table.h"
#include "app/terminal.h"
#include "npq/base/error.h"
#include "npq/clrs/dataset/official.h"
#include "npq/clrs/dataset/verify.h"

namespace npq::app {
namespace {

struct VerifyOptions {
  std::vector<std::string> algorithms;
  int threads = 0;
  bool json = false;
  bool quiet = false;
};

nlohmann::json to_json(const std::vector<clrs::SplitCheck>& checks) {
  static constexpr const char* words[] = {"exact", "sums", "differs"};
  nlohmann::json all = nlohmann::json::array();
  for (const auto& check : checks)
    for (const auto& array : check.arrays)
      all.push_back({{"algorithm", check.algorithm->name},
                     {"split", clrs::name_of(check.split)},
                     {"array", array.name},
                     {"agreement", words[static_cast<int>(array.agreement)]},
                     {"detail", array.detail}});
  return all;
}

std::string cell(const clrs::SplitCheck& check) {
  const auto total = static_cast<int>(check.arrays.size());
  const bool good = check.matching() == total;
  return paint(fmt::format("{}/{}", check.matching(), total), good ? Colour::Green : Colour::Red);
}

int verify(const VerifyOptions& options) {
  std::vector<const clrs::Algorithm*> algorithms;
  for (const auto& name : options.algorithms) {
    const auto& algorithm = clrs::find_algorithm(name);
    if (!clrs::official_splits().contains(algorithm.name))
      throw UsageError(
          "'{}' is a task of ours: no hashes are published to compare it with; leave it out, or "
          "name some of the 30 algorithms of CLRS-30",
          algorithm.name);
    algorithms.push_back(&algorithm);
  }
  if (algorithms.empty())
    for (const auto& algorithm : clrs::catalog()) algorithms.push_back(&algorithm);
  ProgressBar bar("splits", static_cast<std::int64_t>(algorithms.size()) * 3,
                  options.quiet || options.json);
  const auto checks = clrs::verify(algorithms, options.threads,
                                   [&](std::int64_t done, std::int64_t) { bar.update(done); });

  int arrays = 0, matching = 0, by_sums = 0;
  for (const auto& check : checks) {
    arrays += static_cast<int>(check.arrays.size());
    matching += check.matching();
    for (const auto& array : check.arrays) by_sums += array.agreement == clrs::Agreement::Sums;
  }
  const bool all_match = matching == arrays;
  if (options.json) {
    fmt::print("{}\n", nlohmann::json{{"splits", checks.size()},
                                      {"arrays", arrays},
                                      {"matching", matching},
                                      {"by_sums", by_sums},
                                      {"checks", to_json(checks)}}
                           .dump(2));
    return all_match ? 0 : 1;
  }
  std::vector<std::vector<std::string>> rows = {{"algorithm", "train", "val", "test"}};
  for (std::size_t k = 0; k + 2 < checks.size(); k += 3)
    rows.push_back({std::string(checks[k].algorithm->name), cell(checks[k]), cell(checks[k + 1]),
                    cell(checks[k + 2])});
  fmt::print("{}", table(rows, {1, 2, 3}));
  for (const auto& check : checks)
    for (const auto& array : check.arrays)
      if (array.agreement == clrs::Agreement::Differs)
        fmt::print("{} {} {}: {}\n", check.algorithm->name, clrs::name_of(check.split), array.name,
                   array.detail);
  if (by_sums > 0)
    fmt::print(
        "{} arrays (x, y, atans of the hull algorithms) match by their sums within 1e-9: the last "
        "bits of "
        "sin, cos and atan2 depend on the C library.\n",
        by_sums);
  if (all_match)
    fmt::print("{} splits, {} arrays: all match\n", checks.size(), arrays);
  else
    fmt::print("{} splits, {} arrays: {} differ\n", checks.size(), arrays, arrays - matching);
  return all_match ? 0 : 1;
}

}  // namespace

void add_data_verify(Cli& cli) {
  auto options = std::make_shared<VerifyOptions>();
  auto* command =
      cli.command(cli.group("data"), "verify",
                  "generate the official splits and compare every array with its published hash",
                  {"npq data verify", "npq data verify dijkstra bfs", "npq data verify --json"},
                  [options] { return verify(*options); });
  command->add_option("algorithms", options->algorithms, "which (default: all 30 of CLRS-30)")
      ->type_name("ALGO")
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  command->add_option("--threads", options->threads, "threads (0: all)")->capture_default_str();
  command->add_flag("--json", options->json, "every array's verdict as JSON");
  command->add_flag("--quiet", options->quiet, "no progress");
}

}  // namespace npq::app
