#include "npq/lrgb/model.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/split_with_sizes.h>
#include <ATen/ops/zeros.h>

#include "npq/lrgb/layers.h"
#include "npq/memory/factory.h"
#include "npq/ops/linear.h"

namespace npq::lrgb {
namespace {

std::string layer_name(std::int64_t k) { return "layer/" + std::to_string(k) + "/"; }

template <std::size_t count>
void add_tables(InitialSpecs& specs, const std::string& name, const std::array<int, count>& values,
                std::int64_t width) {
  for (std::size_t k = 0; k < count; ++k)
    specs.push_back(glorot(name + std::to_string(k), values[k], width));
}

/// The sum of one row of each table.
NodeValues encode(const ops::ParameterStore& parameters, const std::string& name,
                  std::size_t tables, const ops::SparseMatrix& rows) {
  std::vector<at::Tensor> all;
  for (std::size_t k = 0; k < tables; ++k) all.push_back(parameters.at(name + std::to_string(k)));
  return {rows, at::cat(all, 0)};
}

std::unique_ptr<memory::Memory> memory_of(const ModelOptions& options) {
  if (!options.has_memory()) return nullptr;
  return memory::make_memory(options.memory, options.memory_width, options.memory_width);
}

/// What node i receives of the messages of its graph's nodes.
at::Tensor delivered(memory::Delivery delivery, const Graphs& graphs, const at::Tensor& message) {
  switch (delivery) {
    case memory::Delivery::Self:
      return message;
    case memory::Delivery::All:
      return graphs.sums.transposed() * (graphs.sums * message);
    case memory::Delivery::SelfRepeat: {
      const auto ones = at::ones({graphs.nodes, 1}, message.options());
      return message * (graphs.sums.transposed() * (graphs.sums * ones));
    }
    case memory::Delivery::Nobody:
      break;
  }
  return {};
}

}  // namespace

InitialSpecs Model::parameters(const ModelOptions& options) {
  options.validate();
  const auto D = options.width(), Z = options.memory_width;
  InitialSpecs specs;
  add_tables(specs, "encoder/atom.", peptides::kAtomValues, D);
  if (options.base == Base::Gine) add_tables(specs, "encoder/bond.", peptides::kBondValues, D);
  for (std::int64_t k = 0; k < options.layers; ++k) {
    const auto own = layer_specs(options, layer_name(k));
    specs.insert(specs.end(), own.begin(), own.end());
    if (!options.has_memory()) continue;
    add_head_linear(specs, options, layer_name(k) + "to_memory", D, Z);
    add_head_linear(specs, options, layer_name(k) + "from_memory", Z, D);
  }
  if (const auto memory = memory_of(options)) {
    const auto shared = redrawn(memory->parameter_specs());
    specs.insert(specs.end(), shared.begin(), shared.end());
  }
  add_head_linear(specs, options, "head", D, peptides::kTargets);
  return specs;
}

Model::Model(const ModelOptions& options, const ops::ParameterStore& parameters)
    : options_(options), parameters_(parameters), memory_(memory_of(options)) {
  ops::check_parameters(shapes_of(Model::parameters(options)), parameters);
}

Statistics Model::initial_statistics(at::ScalarType dtype) const {
  Statistics statistics;
  if (!has_batch_norm(options_)) return statistics;
  for (std::int64_t k = 0; k < options_.layers; ++k)
    statistics.push_back(
        {at::zeros({options_.width()}, dtype), at::ones({options_.width()}, dtype)});
  return statistics;
}

at::Tensor Model::ask_memory(const Graphs& graphs, const std::string& layer, const NodeValues& x,
                             std::vector<memory::CarriedState>& states, const RunOptions& options,
                             LayerTrace& trace) const {
  trace.z = at::leaky_relu(x.through(ops::Linear(parameters_, layer + "to_memory")), 0.01);
  std::vector<std::int64_t> sizes;
  for (const auto& shelf : graphs.shelves) sizes.push_back(shelf.rows());
  const auto z = at::split_with_sizes(graphs.padded * trace.z, sizes, 0);
  std::vector<at::Tensor> messages;
  auto delivery = memory::Delivery::Self;
  for (std::size_t s = 0; s < graphs.shelves.size(); ++s) {
    const auto& shelf = graphs.shelves[s];
    const auto rows = z[s].view({shelf.graphs, shelf.largest, -1});
    trace.memory.push_back(states[s].step(*memory_, parameters_, rows, options.watch));
    messages.push_back(trace.memory.back().messages.flatten(0, 1));
    delivery = trace.memory.back().delivery;
  }
  trace.read = graphs.padded.transposed() * at::cat(messages, 0);
  const auto message =
      ops::linear(parameters_, layer + "from_memory", at::leaky_relu(trace.read, 0.01));
  return delivered(delivery, graphs, message);
}

Prediction Model::run(const Graphs& graphs, const Statistics& statistics,
                      const RunOptions& options) const {
  Prediction prediction{.statistics = statistics};
  LayerInput input;
  input.x = encode(parameters_, "encoder/atom.", peptides::kAtomFeatures, graphs.atoms);
  if (options_.base == Base::Gine)
    input.bonds =
        encode(parameters_, "encoder/bond.", peptides::kBondFeatures, graphs.bonds).dense();
  if (options.keep) prediction.encoded = input.x.dense();
  std::vector<memory::CarriedState> states;  // one for each shelf
  if (memory_) {
    for (const auto& shelf : graphs.shelves)
      states.emplace_back(options_.memory.carry,
                          memory_->initial_state({.batch = shelf.graphs,
                                                  .nodes = shelf.largest,
                                                  .steps = options_.layers,
                                                  .dtype = parameters_.at("head.w").scalar_type(),
                                                  .node_mask = shelf.mask}),
                          options.ablation);
  }
  BatchStatistics none;
  for (std::int64_t k = 0; k < options_.layers; ++k) {
    LayerTrace trace;
    for (auto& state : states) state.begin_step(k);
    if (memory_) input.message = ask_memory(graphs, layer_name(k), input.x, states, options, trace);
    trace.message = input.message;
    auto& seen = prediction.statistics.empty() ? none : prediction.statistics[k];
    input.x = layer(options_, parameters_, layer_name(k), graphs, input, options.mode, seen);
    trace.x = input.x.dense();
    if (options.keep || options.watch != memory::Watch::Nothing)
      prediction.layers.push_back(std::move(trace));
  }
  // The published baselines normalise once more behind the last layer, rows of length 1 or 0: it
  // would change nothing but bits.
  prediction.last = input.x.dense();
  prediction.pooled = graphs.means * prediction.last;
  prediction.targets = ops::linear(parameters_, "head", prediction.pooled);
  return prediction;
}

at::Tensor l1_loss(const at::Tensor& predictions, const at::Tensor& targets) {
  // Axis by axis: in one go the order, and so the bits, would depend on the number of threads.
  return (predictions - targets).abs().mean(1).mean(0);
}

}  // namespace npq::lrgb
