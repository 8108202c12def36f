#include "npq/nn/decoders/decoder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/where.h>

#include <string>
#include <utility>

#include "npq/base/error.h"
#include "npq/nn/decoders/sinkhorn.h"
#include "npq/ops/path.h"
#include "npq/ops/pointer_op.h"

namespace npq::nn {

using clrs::Location;
using clrs::Probe;
using clrs::Type;

void DecoderInput::prepare(const std::vector<Decoder>& decoders) {
  std::vector<const ops::Linear*> layers;
  for (const auto& decoder : decoders) {
    const auto more = decoder.node_layers();
    layers.insert(layers.end(), more.begin(), more.end());
  }
  if (layers.empty()) return;
  const auto found = node.through(layers);
  for (std::size_t k = 0; k < layers.size(); ++k)
    products[layers[k]->weight.unsafeGetTensorImpl()] = found[k];
}

at::Tensor DecoderInput::on_nodes(const ops::Linear& layer) const {
  const auto found = products.find(layer.weight.unsafeGetTensorImpl());
  return found == products.end() ? node.through(layer) : found->second;
}

DecoderInput DecoderInput::select(const at::Tensor& samples) const {
  const auto rows = [&](const at::Tensor& x) { return x.index_select(0, samples); };
  return {.node = node.select(samples),
          .edge = edge.select(samples),
          .triplets = triplets.defined() ? rows(triplets) : triplets,
          .graph = rows(graph),
          .adjacency = rows(adjacency)};
}

DecoderInput DecoderInput::concatenated(const std::vector<DecoderInput>& parts) {
  const auto all = [&](auto member) {
    std::vector<at::Tensor> tensors;
    for (const auto& part : parts) tensors.push_back(member(part));
    return at::cat(tensors, 0);
  };
  const auto& first = parts.at(0);
  auto node = first.node;
  node.values = all([](const DecoderInput& x) { return x.node.values; });
  auto edge = first.edge;
  edge.values = all([](const DecoderInput& x) { return x.edge.values; });
  edge.value_gradients = {};  // they differ from step to step
  return {.node = std::move(node),
          .edge = std::move(edge),
          .triplets = first.triplets.defined()
                          ? all([](const DecoderInput& x) { return x.triplets; })
                          : at::Tensor(),
          .graph = all([](const DecoderInput& x) { return x.graph; }),
          .adjacency = all([](const DecoderInput& x) { return x.adjacency; })};
}

at::Tensor DecoderInput::on_edges(const ops::Linear& layer) const {
  const auto sum = edge.fold(layer);
  return triplets.defined() ? sum + on_triplets(layer) : sum;
}

at::Tensor DecoderInput::on_triplets(const ops::Linear& layer) const {
  if (!triplets.defined()) return {};
  const auto width = triplets.size(-1);
  return at::matmul(triplets, layer.weight.narrow(0, layer.weight.size(0) - width, width));
}

ops::ParameterSpecs decoder_parameters(const Probe& probe, std::int64_t hidden,
                                       std::int64_t edge_width) {
  ops::ParameterSpecs specs;
  int layer = 0;
  const auto add = [&](std::int64_t in, std::int64_t out) {
    ops::add_linear(specs, "decoder/" + probe.name + "." + std::to_string(layer++), in, out);
  };
  const std::int64_t h = 3 * hidden;
  const std::int64_t out = probe.type == Type::Categorical ? probe.classes : 1;
  const bool pointer = probe.type == Type::Pointer || probe.type == Type::PermutationPointer;
  switch (probe.location) {
    case Location::Node:
      if (pointer) {
        add(h, hidden), add(h, hidden), add(edge_width, hidden), add(hidden, 1);
      } else {
        add(h, out);
      }
      break;
    case Location::Edge:
      if (pointer) {
        add(h, hidden), add(h, hidden), add(edge_width, hidden), add(h, hidden), add(hidden, 1);
      } else {
        add(h, out), add(h, out), add(edge_width, out);
      }
      break;
    case Location::Graph:
      add(h, out), add(hidden, out);
      if (pointer) add(h, 1);
      break;
  }
  return specs;
}

Decoder::Decoder(Probe probe, bool masked, const ops::ParameterStore& store)
    : probe_(std::move(probe)), masked_(masked) {
  if (probe_.type == Type::ShouldBePermutation) {
    throw Error(
        "'{}' is a should_be_permutation; turn it into a pointer or a permutation_pointer first",
        probe_.name);
  }
  const std::string name = "decoder/" + probe_.name + ".";
  for (int k = 0; store.contains(name + std::to_string(k) + ".w"); ++k) {
    layers_.emplace_back(store, name + std::to_string(k));
  }
  NPQ_ASSERT(2 * layers_.size() == decoder_parameters(probe_, 1, 1).size());
}

std::vector<const ops::Linear*> Decoder::node_layers() const {
  const bool pointer = probe_.type == Type::Pointer || probe_.type == Type::PermutationPointer;
  switch (probe_.location) {
    case Location::Node:
      if (pointer) return {&layers_[0], &layers_[1]};
      return {&layers_[0]};
    case Location::Edge:
      if (pointer) return {&layers_[0], &layers_[1], &layers_[3]};
      return {&layers_[0], &layers_[1]};
    case Location::Graph:
      if (pointer) return {&layers_[2]};
      return {};
  }
  NPQ_ASSERT(false);
  return {};
}

at::Tensor Decoder::operator()(const DecoderInput& input, ops::Stream* noise) const {
  const bool pointer = probe_.type == Type::Pointer;
  switch (probe_.location) {
    case Location::Node:
      if (probe_.type == Type::PermutationPointer) {
        return log_sinkhorn(node_pointer(input), kSinkhornDecoderSteps, noise);
      }
      return pointer ? node_pointer(input) : node(input);
    case Location::Edge:
      return pointer ? edge_pointer(input) : edge(input);
    case Location::Graph:
      return pointer ? graph_pointer(input) : graph(input);
  }
  NPQ_ASSERT(false);
  return {};
}

at::Tensor Decoder::node(const DecoderInput& input) const {
  return one_or_all(input.on_nodes(layers_[0]));
}

at::Tensor Decoder::edge(const DecoderInput& input) const {
  const auto logits =
      one_or_all(input.on_nodes(layers_[0]).unsqueeze(2) + input.on_nodes(layers_[1]).unsqueeze(1) +
                 input.on_edges(layers_[2]));
  const bool mask = probe_.type == Type::Mask || probe_.type == Type::MaskOne;
  return masked_ && mask ? below_others(logits, input.adjacency) : logits;
}

at::Tensor Decoder::graph(const DecoderInput& input) const {
  return one_or_all(layers_[0](input.node.all().amax(1)) + layers_[1](input.graph));
}

at::Tensor Decoder::node_pointer(const DecoderInput& input) const {
  const auto logits = ops::goes_fused(input.node.values)
                          ? fused_node_pointer(input)
                          : composed_node_pointer(input);  // [B, N, N]
  return masked_ ? below_others(logits, input.adjacency) : logits;
}

at::Tensor Decoder::composed_node_pointer(const DecoderInput& input) const {
  const auto from = input.on_nodes(layers_[0]).unsqueeze(2);   // [B, i, 1, H]
  const auto to = input.on_nodes(layers_[1]).unsqueeze(1) +    // [B, 1, j, H]
                  input.on_edges(layers_[2]).transpose(1, 2);  // [B, i, j, H]
  return layers_[3](at::maximum(from.expand_as(to), to)).squeeze(-1);
}

at::Tensor Decoder::fused_node_pointer(const DecoderInput& input) const {
  const auto [rows, offset] = input.edge.folded(layers_[2]);
  return ops::fused_pointers({.from = input.on_nodes(layers_[0]),
                              .to = input.on_nodes(layers_[1]) + offset,
                              .values = input.edge.values,
                              .rows = rows,
                              .weights = layers_[3].weight,
                              .bias = layers_[3].bias,
                              .dense = input.on_triplets(layers_[2]),
                              .value_gradients = input.edge.value_gradients});
}

at::Tensor Decoder::edge_pointer(const DecoderInput& input) const {
  if (ops::goes_fused(input.node.values)) return fused_edge_pointer(input);
  const auto from = input.on_nodes(layers_[0]).unsqueeze(2) +
                    input.on_nodes(layers_[1]).unsqueeze(1) +
                    input.on_edges(layers_[2]);  // [B, i, j, H]
  // One k at a time: [B,N,N,N,H] need not exist at once.
  const auto to = input.on_nodes(layers_[3]);  // [B, k, H]
  std::vector<at::Tensor> logits;
  for (std::int64_t k = 0; k < to.size(1); ++k) {
    logits.push_back(
        layers_[4](at::maximum(from, to.narrow(1, k, 1).unsqueeze(1).expand_as(from))));
  }
  return at::cat(logits, -1);  // [B, N, N, N]
}

at::Tensor Decoder::fused_edge_pointer(const DecoderInput& input) const {
  const auto [rows, offset] = input.edge.folded(layers_[2]);
  return ops::fused_edge_pointers({.tail = input.on_nodes(layers_[0]) + offset,
                                   .head = input.on_nodes(layers_[1]),
                                   .values = input.edge.values,
                                   .rows = rows,
                                   .to = input.on_nodes(layers_[3]),
                                   .weights = layers_[4].weight,
                                   .bias = layers_[4].bias,
                                   .dense = input.on_triplets(layers_[2]),
                                   .value_gradients = input.edge.value_gradients});
}

at::Tensor Decoder::graph_pointer(const DecoderInput& input) const {
  const auto whole = layers_[0](input.node.all().amax(1)) + layers_[1](input.graph);  // [B, 1]
  return whole + input.on_nodes(layers_[2]).squeeze(-1);                              // [B, N]
}

at::Tensor Decoder::one_or_all(const at::Tensor& channels) const {
  return probe_.type == Type::Categorical ? channels : channels.squeeze(-1);
}

at::Tensor Decoder::below_others(const at::Tensor& logits, const at::Tensor& adjacency) const {
  const auto least = logits.amin({1, 2}, /*keepdim=*/true) - 1;
  const auto below = at::minimum(least, at::full_like(least, -1.0));
  return at::where(adjacency, logits, below);
}

}  // namespace npq::nn
