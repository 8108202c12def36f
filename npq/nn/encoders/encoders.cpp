#include "npq/nn/encoders/encoders.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "npq/base/error.h"

namespace npq::nn {

using clrs::Location;
using clrs::Probe;
using clrs::Type;

namespace {

/// Where the channels of a probe go: a pointer lives on the pairs (who, to whom).
Location channel_location(const Probe& probe) {
  switch (probe.type) {
    case Type::Pointer:
    case Type::PermutationPointer:
      return probe.location == Location::Graph ? Location::Node : Location::Edge;
    case Type::ShouldBePermutation:
      throw Error(
          "'{}' is a should_be_permutation; turn it into a pointer or a permutation_pointer first",
          probe.name);
    default:
      return probe.location;
  }
}

bool is_edge_pointer(const Probe& probe) {
  return probe.location == Location::Edge && probe.type == Type::Pointer;
}

std::int64_t width(const Probe& probe) {
  return probe.type == Type::Categorical ? probe.classes : 1;
}

/// [..., width] of one probe at its channel location.
at::Tensor channels_of_one(const Probe& probe, const at::Tensor& rows) {
  if (probe.type == Type::Categorical) return rows;
  if (is_edge_pointer(probe)) {
    // Y[b,i,j,k]: edge (i,j) points to k. The edge (x,y) hears from all edges (i,x) that point to
    // y, through the first encoder, and from all edges (x,j) that point to y, through the second. A
    // mean of affine maps is the affine map of the mean.
    return at::stack({rows.mean(1), rows.mean(2)}, -1);
  }
  return rows.unsqueeze(-1);
}

/// Pairs that a probe connects, in either direction.
at::Tensor connects(const Probe& probe, const at::Tensor& rows) {
  const auto both = rows + rows.transpose(1, 2);
  // A soft pointer connects where it is more likely than not; an edge mask wherever it is positive.
  // So a fed-back sigmoid connects everything, as it does in the benchmark.
  return both.gt(probe.type == Type::Mask ? 0.0 : 0.5);
}

bool touches_adjacency(const Probe& probe) {
  const bool node_pointer =
      probe.location == Location::Node && channel_location(probe) == Location::Edge;
  return node_pointer || (probe.location == Location::Edge && probe.type == Type::Mask);
}

}  // namespace

Channels Channels::with(std::span<const Probe> probes, const TensorMap& values) const {
  const auto nodes = this->node.size(1);
  std::vector<at::Tensor> node{this->node}, edge{this->edge}, graph{this->graph};
  auto united = adjacency;
  auto marks = edge_gradients;
  for (const auto& probe : probes) {
    const auto rows = as_rows(probe, find_value(values, probe), nodes, this->node.scalar_type());
    auto channels = channels_of_one(probe, rows);
    switch (channel_location(probe)) {
      case Location::Node:
        node.push_back(std::move(channels));
        break;
      case Location::Edge:
        marks.insert(marks.end(), channels.size(-1), channels.requires_grad());
        edge.push_back(std::move(channels));
        break;
      case Location::Graph:
        graph.push_back(std::move(channels));
        break;
    }
    if (touches_adjacency(probe)) united = united.logical_or(connects(probe, rows));
  }
  const auto joined = [](const std::vector<at::Tensor>& parts) {
    return parts.size() == 1 ? parts[0] : at::cat(parts, -1);
  };
  return {joined(node), joined(edge), joined(graph), united, marks};
}

Channels Channels::select(const at::Tensor& samples) const {
  return {.node = node.index_select(0, samples),
          .edge = edge.index_select(0, samples),
          .graph = graph.index_select(0, samples),
          .adjacency = adjacency.index_select(0, samples),
          .edge_gradients = edge_gradients};
}

Channels no_channels(std::int64_t batch, std::int64_t nodes, at::ScalarType dtype) {
  return {.node = at::zeros({batch, nodes, 0}, dtype),
          .edge = at::zeros({batch, nodes, nodes, 0}, dtype),
          .graph = at::zeros({batch, 0}, dtype),
          .adjacency = at::eye(nodes, at::kBool).expand({batch, nodes, nodes}),
          .edge_gradients = {}};
}

Channels channels_of(std::span<const Probe> probes, const TensorMap& values, std::int64_t nodes,
                     at::ScalarType dtype) {
  NPQ_ASSERT(!probes.empty());
  return no_channels(find_value(values, probes[0]).size(0), nodes, dtype).with(probes, values);
}

ops::ParameterSpecs encoder_parameters(std::span<const Probe> probes, std::int64_t hidden,
                                       EncoderInit init) {
  ops::ParameterSpecs specs;
  for (const auto& probe : probes) {
    const std::string name = "encoder/" + probe.name + ".";
    const bool scalar_hint = probe.stage == clrs::Stage::Hint && probe.type == Type::Scalar;
    if (init == EncoderInit::XavierOnScalars && scalar_hint) {
      ops::add_scaled_linear(specs, name + "0", 1, hidden,
                             1 / std::sqrt(static_cast<double>(hidden)));
    } else {
      ops::add_linear(specs, name + "0", width(probe), hidden);
    }
    if (is_edge_pointer(probe)) ops::add_linear(specs, name + "1", 1, hidden);
  }
  return specs;
}

Encoders::Encoders(std::span<const Probe> probes, std::int64_t hidden,
                   const ops::ParameterStore& store) {
  const auto dtype = store.begin()->value.scalar_type();
  no_rows_ = at::zeros({0, hidden}, dtype);
  no_bias_ = at::zeros({hidden}, dtype);
  for (const auto& probe : probes) {
    auto& layers = channel_location(probe) == Location::Node   ? node_
                   : channel_location(probe) == Location::Edge ? edge_
                                                               : graph_;
    layers.emplace_back(store, "encoder/" + probe.name + ".0");
    if (is_edge_pointer(probe)) layers.emplace_back(store, "encoder/" + probe.name + ".1");
  }
}

Encoders::Weights Encoders::stacked() const {
  const auto rows = [&](const std::vector<ops::Linear>& layers) {
    std::vector<at::Tensor> all{no_rows_};
    for (const auto& layer : layers) all.push_back(layer.weight);
    return at::cat(all, 0);
  };
  const auto bias = [&](const std::vector<ops::Linear>& layers) {
    auto sum = no_bias_;
    for (const auto& layer : layers) sum = sum + layer.bias;
    return sum;
  };
  return {rows(node_),
          bias(node_),
          rows(edge_),
          bias(edge_),
          rows(graph_),
          bias(graph_),
          std::make_shared<FoldedLayers>()};
}

Features Encoders::Weights::operator()(const Channels& channels) const {
  return {.node = {channels.node, node_rows, node_bias, folded_layers},
          .edge = {channels.edge, edge_rows, edge_bias, channels.edge_gradients, folded_layers},
          .graph = ops::affine(channels.graph, graph_rows, graph_bias),
          .adjacency = channels.adjacency};
}

}  // namespace npq::nn
