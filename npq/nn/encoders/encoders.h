#pragma once
#include <ATen/core/Tensor.h>

#include <span>
#include <vector>

#include "npq/nn/encoders/options.h"
#include "npq/nn/features.h"
#include "npq/nn/values.h"
#include "npq/ops/parameter_spec.h"

// Encoders are affine without activation, and their results are added up. So the features of a step
// are one product
//   features = channels x stacked weight rows + sum of biases
// per location, where a channel is one number per node, pair or graph: a scalar, a mask, one class
// of a categorical, or a pointer seen as a matrix over pairs.
namespace npq::nn {

/// The numbers to be encoded, before any weight. Inputs are put together once, hints at every step.
struct Channels {
  at::Tensor node;                   // [B, N, R_node]
  at::Tensor edge;                   // [B, N, N, R_edge]
  at::Tensor graph;                  // [B, R_graph]
  at::Tensor adjacency;              // [B, N, N] bool
  std::vector<bool> edge_gradients;  // [R_edge]: which channels carry one

  /// With the channels of the probes behind them, in their order. Pointers may be indices or rows
  /// over the nodes.
  Channels with(std::span<const clrs::Probe> probes, const TensorMap& values) const;
  /// Only these samples, in this order.
  Channels select(const at::Tensor& samples) const;
};

/// Nothing yet: no channels, and every node adjacent to itself alone.
Channels no_channels(std::int64_t batch, std::int64_t nodes, at::ScalarType dtype);

/// The channels of the probes alone.
Channels channels_of(std::span<const clrs::Probe> probes, const TensorMap& values,
                     std::int64_t nodes, at::ScalarType dtype);

/// One affine map per probe: `encoder/<name>.0`, for edge pointers also `encoder/<name>.1`.
ops::ParameterSpecs encoder_parameters(std::span<const clrs::Probe> probes, std::int64_t hidden,
                                       EncoderInit init);

/// Their weights, stacked in the order of the channels.
class Encoders {
 public:
  Encoders(std::span<const clrs::Probe> probes, std::int64_t hidden,
           const ops::ParameterStore& store);

  /// To be called once per pass over a batch, since stacking is part of what gradients flow
  /// through.
  struct Weights {
    at::Tensor node_rows, node_bias, edge_rows, edge_bias, graph_rows, graph_bias;
    std::shared_ptr<FoldedLayers> folded_layers;
    Features operator()(const Channels& channels) const;
  };
  Weights stacked() const;

 private:
  std::vector<ops::Linear> node_, edge_, graph_;
  at::Tensor no_rows_, no_bias_;
};

}  // namespace npq::nn
