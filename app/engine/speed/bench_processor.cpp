// npq bench processor: one round of messages of one sparse graph.
#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/engine/engine.h"
#include "app/terminal.h"
#include "npq/base/simd.h"
#include "npq/nn/processors/processor.h"
#include "npq/ops/path.h"
#include "npq/ops/threads.h"
#include "npq/train/measuring/speed.h"

namespace npq::app {
namespace {

/// One graph whose nodes have that many neighbours on average, and themselves.
nn::Features sparse_graph(const ProcessorCommand& command) {
  const auto N = command.nodes;
  const auto drawn = at::rand({1, N, N}).lt(0.5 * command.degree / static_cast<double>(N));
  return {.node = {at::randn({1, N, command.hidden})},
          .edge = {at::randn({1, N, N, 1}), at::randn({1, command.hidden}),
                   at::zeros({command.hidden})},
          .graph = at::zeros({1, command.hidden}),
          .adjacency = drawn.logical_or(drawn.transpose(1, 2)).logical_or(at::eye(N, at::kBool))};
}

}  // namespace

int run_bench_processor(const ProcessorCommand& command) {
  const int threads = use_threads(command.threads);
  std::optional<ScopedSimdLevel> level;
  if (!command.simd.empty()) level.emplace(parse_simd_level(command.simd));
  const bool composed = command.path == "composed";
  const ops::ScopedPath path(composed ? ops::Path::Composed : ops::Path::Fused);
  if (composed) ops::set_kernel_threads(0);  // plain torch operations may have all threads
  const at::NoGradGuard no_grad;
  at::manual_seed(1);
  const auto features = sparse_graph(command);
  const auto hidden = at::randn({1, command.nodes, command.hidden});
  const auto store =
      ops::initialise(nn::processor_parameters(command.processor, command.hidden), 1, at::kFloat);
  const auto processor = nn::make_processor(command.processor, store);
  const auto clock = command.cpu_time ? train::Clock::Cpu : train::Clock::Wall;
  double best = 1e300;
  for (int k = 0; k < command.repeats; ++k)
    best = std::min(best, train::seconds_of(clock, [&] { processor->process(features, hidden); }));
  const double degree =
      features.adjacency.sum().item<double>() / static_cast<double>(command.nodes);
  const nlohmann::json result = {{"processor", command.processor.name},
                                 {"nodes", command.nodes},
                                 {"mean_degree", degree - 1},  // without the node itself
                                 {"hidden", command.hidden},
                                 {"path", command.path},
                                 {"best_seconds", best},
                                 {"repeats", command.repeats},
                                 {"clock", command.cpu_time ? "cpu" : "wall"},
                                 {"simd", simd_level_name(active_simd_level())},
                                 {"threads", threads}};
  if (command.json) {
    fmt::print("{}\n", result.dump(2));
    return 0;
  }
  fmt::print(
      "processor {}, one graph of {} nodes, mean degree {:.1f}, hidden size {}, {} ({}), {} "
      "thread{}\n",
      command.processor.name, command.nodes, degree - 1, command.hidden, command.path,
      simd_level_name(active_simd_level()), threads, threads == 1 ? "" : "s");
  fmt::print("{} (best of {})\n", human_seconds(best), command.repeats);
  return 0;
}

}  // namespace npq::app
