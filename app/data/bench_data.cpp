// npq bench data: how long the whole official CLRS-30 takes.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/table.h"
#include "app/terminal.h"
#include "npq/base/parallel.h"
#include "npq/clrs/dataset/dataset.h"

namespace npq::app {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct Whole {
  double seconds;
  std::size_t bytes = 0;
  std::int64_t samples = 0;
};

/// All 30 algorithms, all splits, all samples, all held in memory at once; the best of `repeats`.
Whole whole_benchmark(int threads, int repeats) {
  Whole best{1e300};
  for (int r = 0; r < repeats; ++r) {
    const auto begin = std::chrono::steady_clock::now();
    const auto datasets = clrs::generate_official(threads);
    const double seconds = seconds_since(begin);
    Whole run{seconds};
    for (const auto& dataset : datasets) {
      run.bytes += dataset.bytes();
      run.samples += static_cast<std::int64_t>(dataset.samples.size());
    }
    if (run.seconds < best.seconds) best = run;
  }
  return best;
}

struct BenchDataOptions {
  int repeats = 3;
  int threads = 0;
  bool json = false;
  std::string algorithm;
  int nodes = 0;
};

std::size_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

/// One sample of any size: how far the generator reaches.
int bench_one(const BenchDataOptions& options) {
  const auto& algorithm = clrs::find_algorithm(options.algorithm);
  const auto begin = std::chrono::steady_clock::now();
  const auto dataset =
      clrs::generate(algorithm, {.seed = 3, .length = options.nodes, .samples = 1}, 1);
  const double seconds = seconds_since(begin);
  const nlohmann::json result = {
      {"algorithm", algorithm.name}, {"nodes", algorithm.nodes(options.nodes)},
      {"steps", dataset.longest()},  {"seconds", seconds},
      {"bytes", dataset.bytes()},    {"peak_bytes", peak_bytes()}};
  if (options.json)
    fmt::print("{}\n", result.dump(2));
  else
    fmt::print("{} at {} nodes: {} steps in {}, trace {}, peak memory {}\n", algorithm.name,
               options.nodes, dataset.longest(), human_seconds(seconds),
               human_bytes(static_cast<double>(dataset.bytes())),
               human_bytes(static_cast<double>(peak_bytes())));
  return 0;
}

int bench(const BenchDataOptions& options) {
  if (!options.algorithm.empty()) return bench_one(options);
  const int threads = options.threads > 0 ? options.threads : available_threads();
  const Whole all = whole_benchmark(threads, options.repeats);
  const Whole one = whole_benchmark(1, options.repeats);
  nlohmann::json result = {{"seconds_one_thread", one.seconds},
                           {"seconds_all_threads", all.seconds},
                           {"threads", threads},
                           {"samples", all.samples},
                           {"bytes", all.bytes},
                           {"peak_bytes", peak_bytes()}};
  std::vector<std::vector<std::string>> rows = {{"algorithm", "train/s", "val/s", "test/s"}};
  for (const auto& algorithm : clrs::catalog()) {
    std::vector<std::string> row = {std::string(algorithm.name)};
    for (const auto split : clrs::kSplits) {
      const auto wanted = clrs::official_split(algorithm, split);
      const auto begin = std::chrono::steady_clock::now();
      const auto dataset = clrs::generate(algorithm, wanted, 1);
      const double rate = static_cast<double>(wanted.samples) / seconds_since(begin);
      result["samples_per_second"][std::string(algorithm.name)][std::string(clrs::name_of(split))] =
          rate;
      row.push_back(fmt::format("{:.3g}", rate));
    }
    rows.push_back(row);
  }
  if (options.json) {
    fmt::print("{}\n", result.dump(2));
    return 0;
  }
  fmt::print("{}", table(rows, {1, 2, 3}));
  fmt::print("the whole official CLRS-30 ({} samples, {} held): {} on 1 thread, {} on {}\n",
             all.samples, human_bytes(static_cast<double>(all.bytes)), human_seconds(one.seconds),
             human_seconds(all.seconds), threads);
  return 0;
}

}  // namespace

void add_bench_data(Cli& cli) {
  auto options = std::make_shared<BenchDataOptions>();
  auto* command =
      cli.command(cli.group("bench"), "data",
                  "seconds to generate the whole official CLRS-30; samples per second by algorithm",
                  {"npq bench data", "npq bench data --json",
                   "npq bench data --algorithm dijkstra --nodes 1024"},
                  [options] { return bench(*options); });
  command->add_option("--repeats", options->repeats, "the best of this many")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--threads", options->threads, "threads of the parallel figure (0: all)")
      ->capture_default_str();
  auto* algorithm =
      command->add_option("--algorithm", options->algorithm, "one sample of this one instead");
  auto* nodes = command->add_option("--nodes", options->nodes, "its size")->type_name("N");
  algorithm->needs(nodes);
  nodes->needs(algorithm);
  command->add_flag("--json", options->json, "as JSON");
}

}  // namespace npq::app
