// An update of a peptide network at three sizes of molecules: the time per edge must not grow, as
// it would if the cost followed the square of the nodes.
#include <benchmark/benchmark.h>

#include <vector>

#include "npq/lrgb/model.h"
#include "npq/ops/threads.h"

namespace npq::bench {
namespace {

/// A chain with a short branch at every third atom, about as long and thin as a peptide.
peptides::Graph molecule(int atoms) {
  peptides::Graph graph;
  const auto bond = [&](int a, int b) {
    graph.edges.insert(graph.edges.end(), {{a, b}, {b, a}});
    graph.bonds.insert(graph.bonds.end(), {{0, 0, 0}, {0, 0, 0}});
  };
  for (int i = 0; i < atoms; ++i) {
    graph.atoms.push_back({static_cast<std::uint8_t>(5 + i % 3), 0, 3, 5, 1, 0, 1, 0, 0});
    if (i > 0) bond(i % 3 == 2 ? i - 1 : std::max(0, i - 1 - (i % 3 == 0)), i);
  }
  return graph;
}

void update(benchmark::State& state, lrgb::Base base, const char* memory) {
  constexpr int kGraphs = 16;
  ops::set_kernel_threads(1);
  lrgb::ModelOptions options;
  options.base = base;
  options.layer = lrgb::Layer::Full;
  options.memory = lrgb::peptide_memory(memory);
  const auto store = lrgb::draw(lrgb::Model::parameters(options), 1, at::kFloat);
  const lrgb::Model model(options, store);
  const std::vector<peptides::Graph> graphs(kGraphs, molecule(static_cast<int>(state.range(0))));
  std::vector<const peptides::Graph*> all;
  for (const auto& graph : graphs) all.push_back(&graph);
  const auto statistics = model.initial_statistics(at::kFloat);
  std::int64_t edges = 0;
  for (auto _ : state) {
    const auto batch = lrgb::join_graphs(all, base);
    edges = batch.edges;
    store.zero_grad();
    model.run(batch, statistics, {}).targets.abs().mean().backward();
  }
  state.SetItemsProcessed(state.iterations() * edges);  // edges per second: about the same in a row
}

#define NPQ_SIZES ->ArgName("atoms")->Arg(75)->Arg(150)->Arg(300)->Unit(benchmark::kMillisecond)
BENCHMARK_CAPTURE(update, gcn, lrgb::Base::Gcn, "none") NPQ_SIZES;
BENCHMARK_CAPTURE(update, gcn_npq_w, lrgb::Base::Gcn, "npq_w") NPQ_SIZES;
BENCHMARK_CAPTURE(update, gine, lrgb::Base::Gine, "none") NPQ_SIZES;
BENCHMARK_CAPTURE(update, gatv2, lrgb::Base::Gatv2, "none") NPQ_SIZES;
BENCHMARK_CAPTURE(update, gatv2_npq_w, lrgb::Base::Gatv2, "npq_w") NPQ_SIZES;
#undef NPQ_SIZES

}  // namespace
}  // namespace npq::bench
