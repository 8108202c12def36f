// npq bench kernels: each kernel on both paths in one run, after these were proven equal.
#include <ATen/Context.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/engine/engine.h"
#include "app/engine/speed/kernel_cases.h"
#include "app/table.h"
#include "app/terminal.h"
#include "npq/base/names.h"
#include "npq/base/resources.h"
#include "npq/base/simd.h"
#include "npq/ops/threads.h"
#include "npq/train/measuring/speed.h"

namespace npq::app {
namespace {

/// The best of several calls; the first one warms up.
double best_seconds(const KernelCall& call, ops::Path path, bool backward, int repeats) {
  const auto leaves = leaves_of(call, backward);
  run_once(call, leaves, path, backward);
  double best = 1e300;
  for (int k = 0; k < repeats; ++k)
    best = std::min(best, train::seconds_of(train::Clock::Wall,
                                            [&] { run_once(call, leaves, path, backward); }));
  return best;
}

/// Those that were asked for, in the order of the table.
std::vector<KernelCase> chosen(const std::vector<std::string>& only) {
  std::vector<std::string_view> known;
  for (const auto& kernel : kernel_cases()) known.push_back(kernel.name);
  for (const auto& name : only)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw unknown_name("kernel", name, known);
  std::vector<KernelCase> some;
  for (const auto& kernel : kernel_cases())
    if (only.empty() || std::find(only.begin(), only.end(), kernel.name) != only.end())
      some.push_back(kernel);
  return some;
}

std::string milliseconds(double seconds) { return fmt::format("{:.3g}", 1e3 * seconds); }

}  // namespace

int run_bench_kernels(const KernelsCommand& command) {
  const auto kernels = chosen(command.only);
  const int threads = use_threads(command.threads);
  std::optional<ScopedSimdLevel> level;
  if (!command.simd.empty()) level.emplace(parse_simd_level(command.simd));
  // The plain messages are [B, N, N, H].
  const double least = command.only.empty() ? static_cast<double>(kCaseHidden) : 1;
  for (const int nodes : command.sizes)
    check_memory(sizeof(float) * least * static_cast<double>(command.batch) * nodes * nodes,
                 fmt::format("--batch {} of --nodes {}", command.batch, nodes),
                 "a smaller --batch, fewer nodes");
  const double sgemm = train::best_sgemm_gflops();
  std::vector<std::vector<std::string>> rows = {
      {"kernel", "nodes", "pass", "fused ms", "composed ms", "ratio", "GFLOPS", "of sgemm"}};
  auto results = nlohmann::json::array();
  bool all_same = true;
  ProgressBar bar("kernels", static_cast<std::int64_t>(kernels.size() * command.sizes.size()),
                  command.quiet);
  std::int64_t done = 0;
  for (const int nodes : command.sizes) {
    for (const auto& kernel : kernels) {
      at::manual_seed(1);
      // A smaller batch keeps the composed path's memory in bounds.
      const auto batch = kernel.cubic
                             ? std::max<std::int64_t>(1, command.batch * 16 / std::max(16, nodes))
                             : command.batch;
      const auto call = kernel.make(batch, nodes);
      const auto found = apart(call);
      all_same = all_same && found.same();
      for (const bool backward : {false, true}) {
        ops::set_kernel_threads(threads);
        const double fused = best_seconds(call, ops::Path::Fused, backward, command.repeats);
        ops::set_kernel_threads(0);  // plain torch operations may have all threads
        const double composed = best_seconds(call, ops::Path::Composed, backward, command.repeats);
        ops::set_kernel_threads(threads);
        const double gflops = call.flops / fused * 1e-9;
        rows.push_back({kernel.name, std::to_string(nodes), backward ? "both" : "forward",
                        milliseconds(fused), milliseconds(composed),
                        fmt::format("{:.2f}", composed / fused),
                        backward ? "" : fmt::format("{:.3g}", gflops),
                        backward ? "" : fmt::format("{:.0f}%", 100 * gflops / sgemm)});
        results.push_back({{"kernel", kernel.name},
                           {"nodes", nodes},
                           {"batch", batch},
                           {"backward", backward},
                           {"fused_seconds", fused},
                           {"composed_seconds", composed},
                           {"forward_flops", call.flops},
                           {"difference", found.result},
                           {"gradient_difference", found.gradient},
                           {"same", found.same()}});
      }
      bar.update(++done);
    }
  }
  bar.clear();
  if (command.json) {
    const nlohmann::json answer = {{"sgemm_gflops", sgemm},
                                   {"simd", simd_level_name(active_simd_level())},
                                   {"threads", threads},
                                   {"results", results}};
    fmt::print("{}\n", answer.dump(2));
    return all_same ? 0 : 1;
  }
  fmt::print("{}", table(rows, {1, 3, 4, 5, 6, 7}));
  fmt::print("{}, {} threads, best sgemm {:.4g} GFLOPS; {}\n", simd_level_name(active_simd_level()),
             threads, sgemm,
             all_same ? "all kernels compute what the composed path does"
                      : "NOT all kernels compute what the composed path does");
  return all_same ? 0 : 1;
}

}  // namespace npq::app
