#pragma once
#include <ATen/core/Tensor.h>

#include <map>
#include <vector>

#include "npq/clrs/spec/spec.h"
#include "npq/nn/features.h"
#include "npq/ops/parameter_spec.h"
#include "npq/ops/stream.h"

namespace npq::nn {

class Decoder;

/// What decoders see at one step.
struct DecoderInput {
  NodeFeatures node;     // hidden state before and after the processor beside the encoded features
  EdgeFeatures edge;     // [B, N, N, (R)]
  at::Tensor triplets;   // [B, N, N, H], undefined for most processors
  at::Tensor graph;      // [B, H] as encoded
  at::Tensor adjacency;  // [B, N, N] bool as encoded

  /// Products of `node` with layers that were asked for together, by their weights.
  std::map<const c10::TensorImpl*, at::Tensor> products = {};

  /// Multiplies once for all decoders that will look at this.
  void prepare(const std::vector<Decoder>& decoders);
  /// A layer on the nodes, [B, N, out].
  at::Tensor on_nodes(const ops::Linear& layer) const;

  /// Only these samples, in this order; nothing prepared.
  DecoderInput select(const at::Tensor& samples) const;
  /// Several batches one after the other; all with the same encoders.
  static DecoderInput concatenated(const std::vector<DecoderInput>& parts);

  /// A layer on the edges, [B, N, N, out]: the folded features, and the triplet messages beside
  /// them if there are any.
  at::Tensor on_edges(const ops::Linear& layer) const;
  /// The triplet messages' part of it alone; undefined without.
  at::Tensor on_triplets(const ops::Linear& layer) const;
};

/// `decoder/<name>.0`, .1, ...: how many and how wide follows from location and type. `edge_width`
/// is H, or 2H beside triplet messages.
ops::ParameterSpecs decoder_parameters(const clrs::Probe& probe, std::int64_t hidden,
                                       std::int64_t edge_width);

/// One probe's logits (a scalar's value itself) from a step's features. With h = node, E = edge,
/// g = graph, D0, D1, ... the layers, max elementwise over features:
///   node            D0(h)[i]
///   node pointer    D3(max(D0(h)[i], D1(h)[j] + D2(E)[j,i]))               [B,N,N]; note E[j,i]
///   edge            D0(h)[i] + D1(h)[j] + D2(E)[i,j]
///   edge pointer    D4(max(D0(h)[i] + D1(h)[j] + D2(E)[i,j], D3(h)[k]))    [B,N,N,N]
///   graph           D0(max_i h[i]) + D1(g)
///   graph pointer   D0(max_i h[i]) + D1(g) + D2(h)[i]
/// A permutation pointer is a node pointer made doubly stochastic; its values are logarithms.
class Decoder {
 public:
  /// `masked`: node pointers and edge masks fall below every other logit of their sample where
  /// nodes are not adjacent.
  Decoder(clrs::Probe probe, bool masked, const ops::ParameterStore& store);

  const clrs::Probe& probe() const { return probe_; }
  /// Those of its layers that read the nodes as they are.
  std::vector<const ops::Linear*> node_layers() const;
  /// `noise` perturbs permutation pointers, in training.
  at::Tensor operator()(const DecoderInput& input, ops::Stream* noise = nullptr) const;

 private:
  at::Tensor node(const DecoderInput& input) const;
  at::Tensor edge(const DecoderInput& input) const;
  at::Tensor graph(const DecoderInput& input) const;
  /// By torch operations and by the fused kernels: the same functions.
  at::Tensor node_pointer(const DecoderInput& input) const;
  at::Tensor composed_node_pointer(const DecoderInput& input) const;
  at::Tensor fused_node_pointer(const DecoderInput& input) const;
  at::Tensor edge_pointer(const DecoderInput& input) const;
  at::Tensor fused_edge_pointer(const DecoderInput& input) const;
  at::Tensor graph_pointer(const DecoderInput& input) const;
  at::Tensor one_or_all(const at::Tensor& channels) const;
  at::Tensor below_others(const at::Tensor& logits, const at::Tensor& adjacency) const;

  clrs::Probe probe_;
  bool masked_;
  std::vector<ops::Linear> layers_;
};

}  // namespace npq::nn
