#include "npq/prove/equivariance.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "npq/memory/catalog.h"
#include "npq/nn/processors/processor.h"
#include "npq/ops/stream.h"
#include "npq/prove/numbers.h"

namespace npq::prove {
namespace {

constexpr std::int64_t kHidden = kEquivarianceHidden, kEdgeNumbers = 2, kSteps = 4;

/// A graph with all that a processor and a memory hear of it.
struct Graph {
  nn::Features features;
  memory::MemoryBatch batch;
};

Graph random_graph(std::int64_t nodes, std::uint64_t seed) {
  const auto draw = [&](const char* what, const std::vector<std::int64_t>& shape) {
    return normal_numbers(shape, ops::derive_seed(seed, what));
  };
  const auto half = draw("adjacency", {1, nodes, nodes}).gt(0.5).triu();
  const auto order = draw("order", {nodes}).argsort();
  return {
      .features = {.node = {.values = draw("node", {1, nodes, kHidden})},
                   .edge = {.values = draw("edge", {1, nodes, nodes, kEdgeNumbers}),
                            .rows = draw("edge rows", {kEdgeNumbers, kHidden}),
                            .bias = draw("edge bias", {kHidden})},
                   .graph = draw("graph", {1, kHidden}),
                   .adjacency =
                       half.logical_or(half.transpose(1, 2)).logical_or(at::eye(nodes, at::kBool))},
      .batch = {.batch = 1,
                .nodes = nodes,
                .steps = kSteps,
                .dtype = at::kDouble,
                .schedule_order = order.unsqueeze(0),
                .schedule_children = at::ones({1, nodes, nodes}, at::kDouble)}};
}

/// The same graph, its node new_to_old[i] now called i.
Graph renamed(const Graph& graph, const at::Tensor& new_to_old) {
  const auto pairs = [&](const at::Tensor& x) {
    return x.index_select(1, new_to_old).index_select(2, new_to_old);
  };
  Graph other = graph;
  other.features.node.values = graph.features.node.values.index_select(1, new_to_old);
  other.features.edge.values = pairs(graph.features.edge.values);
  other.features.adjacency = pairs(graph.features.adjacency);
  other.batch.schedule_children = pairs(graph.batch.schedule_children);
  const auto old_to_new = new_to_old.argsort();
  other.batch.schedule_order =
      old_to_new.index_select(0, graph.batch.schedule_order.flatten()).unsqueeze(0);
  return other;
}

/// Messages and hidden states of all steps, [1, N, ...] each.
std::vector<at::Tensor> run(const model::JoinedMemory& joined, const nn::Processor& processor,
                            const ops::ParameterStore& weights, const Graph& graph) {
  std::vector<at::Tensor> seen;
  auto hidden = at::zeros_like(graph.features.node.values);
  memory::CarriedState carried(joined.carry, joined.memory->initial_state(graph.batch));
  for (std::int64_t t = 0; t < kSteps; ++t) {
    carried.begin_step(t);
    const auto step =
        carried.step(*joined.memory, weights, at::cat({graph.features.node.values, hidden}, -1));
    hidden =
        processor.process(graph.features, hidden, model::messages_of(step, joined.join)).hidden;
    seen.push_back(step.messages);
    seen.push_back(hidden);
  }
  return seen;
}

double relative_difference(const at::Tensor& got, const at::Tensor& expected) {
  if (!got.isfinite().all().item<bool>()) return std::numeric_limits<double>::infinity();
  return (got - expected).abs().max().item<double>() /
         std::max(1e-300, expected.abs().max().item<double>());
}

}  // namespace

const EquivarianceCell& EquivarianceRow::worst() const {
  return *std::max_element(cells.begin(), cells.end(), [](const auto& a, const auto& b) {
    return a.difference < b.difference;
  });
}

std::vector<std::int64_t> equivariance_sizes() { return {2, 3, 4, 7, 8, 16, 31, 64}; }

double equivariance_error(const model::JoinedMemory& joined, const std::string& processor,
                          std::int64_t nodes, std::uint64_t seed) {
  const nn::ProcessorOptions options{.name = processor, .heads = 2, .triplet_fts = 2};
  auto specs = nn::processor_parameters(options, kHidden);
  for (auto& spec : joined.memory->parameter_specs()) specs.push_back(std::move(spec));
  const auto weights = ordinary_weights(specs, ops::derive_seed(seed, "weights"));
  const auto network = nn::make_processor(options, weights);

  const auto graph = random_graph(nodes, seed);
  const auto new_to_old = normal_numbers({nodes}, ops::derive_seed(seed, "names")).argsort();
  const auto plain = run(joined, *network, weights, graph);
  const auto other = run(joined, *network, weights, renamed(graph, new_to_old));
  double worst = 0;
  for (std::size_t k = 0; k < plain.size(); ++k)
    worst = std::max(worst, relative_difference(other[k], plain[k].index_select(1, new_to_old)));
  return worst;
}

std::vector<EquivarianceRow> prove_equivariance(const std::vector<std::string>& memories,
                                                int threads, const ProofProgress& progress) {
  const auto processors = nn::processor_names();
  std::vector<EquivarianceRow> rows;
  for (const auto& memory : memories) {
    rows.push_back({memory, {}});
    for (const auto& processor : processors) rows.back().cells.push_back({std::string(processor)});
  }
  side_by_side(
      threads, memories.size() * processors.size(),
      [&](std::size_t job) {
        auto& row = rows[job / processors.size()];
        auto& cell = row.cells[job % processors.size()];
        const auto joined = model::joined_memory(memory::memory_options(row.memory), kHidden);
        for (const auto nodes : equivariance_sizes()) {
          const double error = equivariance_error(joined, cell.processor, nodes, job + 1);
          if (error < cell.difference) continue;
          cell.difference = error;
          cell.nodes = nodes;
        }
      },
      [&](std::size_t job) {
        return fmt::format("{} with {}", memories[job / processors.size()],
                           processors[job % processors.size()]);
      },
      progress);
  return rows;
}

}  // namespace npq::prove
