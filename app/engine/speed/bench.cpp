// npq bench train, npq bench evaluate: the speed of a model and of the machine's best product.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/engine/engine.h"
#include "app/terminal.h"
#include "npq/base/simd.h"
#include "npq/ops/path.h"
#include "npq/ops/threads.h"
#include "npq/train/measuring/estimate.h"
#include "npq/train/measuring/part_times.h"
#include "npq/train/measuring/speed.h"

namespace npq::app {
namespace {

/// What more cores would gain, computed from the times of the parts.
int run_on_cores(const SpeedCommand& command, train::Clock clock) {
  ops::set_kernel_threads(1);
  const auto times = train::time_parts(command.options, command.repeats, clock);
  nlohmann::json result = {{"parts", times.parts}, {"rest", times.rest}};
  for (const int cores : command.cores)
    result["cores"].push_back({{"cores", cores}, {"seconds", train::seconds_on(times, cores)}});
  if (command.json) {
    fmt::print("{}\n", result.dump(2));
    return 0;
  }
  fmt::print("{} parts, one after the other {}:\n", times.parts.size(),
             human_seconds(times.seconds()));
  for (const double part : times.parts) fmt::print("  {}\n", human_seconds(part));
  fmt::print("the rest {}\n", human_seconds(times.rest));
  for (const auto& row : result["cores"]) {
    const double seconds = row["seconds"];
    fmt::print("{} cores: {}, {:.2f} times as fast\n", row["cores"].get<int>(),
               human_seconds(seconds), times.seconds() / seconds);
  }
  return 0;
}

int bench(const SpeedCommand& command, const std::shared_ptr<train::Ranks>& ranks) {
  const int threads = use_threads(command.threads, ranks_here(command.ranks));
  if (command.evaluate) give_large_memory_back();
  std::optional<ScopedSimdLevel> level;
  if (!command.simd.empty()) level.emplace(parse_simd_level(command.simd));
  if (!command.evaluate) train::check_training_fits(command.options);
  const auto clock = command.cpu_time ? train::Clock::Cpu : train::Clock::Wall;
  if (!command.cores.empty()) return run_on_cores(command, clock);
  double sgemm = train::best_sgemm_gflops(clock);
  const auto idle = train::resident_bytes();
  const bool composed = command.path == "composed";
  const ops::ScopedPath path(composed ? ops::Path::Composed : ops::Path::Fused);
  if (composed) ops::set_kernel_threads(0);  // plain torch operations may use all threads

  const auto products = [threads, clock] {
    const int own = ops::kernel_threads();
    ops::set_kernel_threads(threads);
    const double gflops = train::median_sgemm_gflops(clock);
    ops::set_kernel_threads(own);
    return gflops;
  };
  const train::Timing timing{command.repeats, products, clock};
  const auto speed = command.evaluate ? train::time_evaluation(command.options, command.nodes,
                                                               command.steps, timing)
                                      : train::time_update(command.options, timing, ranks);
  const auto peak = train::peak_bytes();
  // Once more: on a shared machine another job may have slowed one of the two.
  ops::set_kernel_threads(threads);
  sgemm = std::max(sgemm, train::best_sgemm_gflops(clock));
  const double gflops = speed.least_flops / speed.median_seconds * 1e-9;
  const double best_times_bound = sgemm * speed.best_seconds / (speed.least_flops * 1e-9);
  const double times_products = speed.products_instead / (speed.least_flops * 1e-9);
  const nlohmann::json result = {{"algorithm", command.options.algorithm},
                                 {"processor", command.options.model.processor.name},
                                 {"memory", command.options.memory.name},
                                 {"nodes", speed.nodes},
                                 {"batch", command.options.batch},
                                 {"hidden", command.options.model.hidden},
                                 {"path", command.path},
                                 {"steps", speed.steps},
                                 {"repeats", command.repeats},
                                 {"clock", command.cpu_time ? "cpu" : "wall"},
                                 {"median_seconds", speed.median_seconds},
                                 {"best_seconds", speed.best_seconds},
                                 {"gflops", gflops},
                                 {"sgemm_gflops", sgemm},
                                 {"times_bound", sgemm / gflops},
                                 {"best_times_bound", best_times_bound},
                                 {"times_products", times_products},
                                 {"idle_bytes", idle},
                                 {"peak_bytes", peak},
                                 {"simd", simd_level_name(active_simd_level())},
                                 {"ranks", ranks->count()},
                                 {"threads", threads}};
  if (command.json) {
    fmt::print("{}\n", result.dump(2));
    return 0;
  }
  fmt::print(
      "{} {}, {}, memory {}, {} graphs of {} nodes, hidden size {}, {} ({}), {}{} thread{}\n",
      command.evaluate ? "evaluate" : "train", command.options.algorithm,
      command.options.model.processor.name, command.options.memory.name, command.options.batch,
      speed.nodes, command.options.model.hidden, command.path, simd_level_name(active_simd_level()),
      ranks->count() == 1 ? "" : fmt::format("{} ranks of ", ranks->count()), threads,
      threads == 1 ? "" : "s");
  fmt::print("{} (median of {}; best {}), {:.4g} steps of the processor\n",
             human_seconds(speed.median_seconds), command.repeats,
             human_seconds(speed.best_seconds), speed.steps);
  fmt::print(
      "the messages' products alone are {:.3g} GFLOP: {:.3g} GFLOPS; best sgemm {:.4g} GFLOPS: "
      "{:.2f} times the bound; best {:.2f}; {:.2f} against the products between the repeats\n",
      speed.least_flops * 1e-9, gflops, sgemm, sgemm / gflops, best_times_bound, times_products);
  fmt::print("peak memory {}, {} before\n", human_bytes(static_cast<double>(peak)),
             human_bytes(static_cast<double>(idle)));
  return 0;
}

}  // namespace

int run_bench(const SpeedCommand& command) {
  return with_ranks(command.ranks, [&](const auto& ranks) { return bench(command, ranks); });
}

}  // namespace npq::app
