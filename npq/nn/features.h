#pragma once
#include <ATen/core/Tensor.h>

#include <map>
#include <memory>
#include <vector>

#include "npq/ops/linear.h"

// Encoded features in the form in which they arise. An encoder is affine, so the features of a node
// or a pair, made of R encoded numbers, have rank R (at most about 10), not H. Layers on them read
// the R numbers: with W_H the first H rows of a layer's weights and W_more the rest
//   Lin(values rows + bias, more) = (values, more) (rows W_H; W_more) + (bias W_H + b)
namespace npq::nn {

/// Folded layers, one or several side by side, by their weights. Folding is part of what gradients
/// flow through, but the same at all steps: one of these serves a pass over a batch.
using FoldedLayers = std::map<std::vector<const c10::TensorImpl*>, ops::Linear>;

/// Edge features, edge_fts[b,s,r,:] = sum_k values[b,s,r,k] * rows[k,:] + bias. The array [B,N,N,H]
/// is never built.
struct EdgeFeatures {
  at::Tensor values;  // [B, N, N, R]
  at::Tensor rows;    // [R, H]
  at::Tensor bias;    // [H]
  /// Which channels of `values` carry a gradient, for kernels to spare the others; empty: all.
  std::vector<bool> value_gradients = {};
  std::shared_ptr<FoldedLayers> kept = {};  // null: folded at every call

  /// Lin(edge_fts), [B, N, N, out]. Where the layer reads more than the edges, they come first.
  at::Tensor fold(const ops::Linear& layer) const { return folded(layer)(values); }
  /// The folded layer, weight [R, out] and bias [out], for kernels that never build the product.
  ops::Linear folded(const ops::Linear& layer) const;

  EdgeFeatures select(const at::Tensor& samples) const;
};

/// Node features, and hidden states beside them.
struct NodeFeatures {
  at::Tensor values;                        // [B, N, R + more]
  at::Tensor rows = {};                     // [R, H]; undefined: the values are the features
  at::Tensor bias = {};                     // [H]
  std::shared_ptr<FoldedLayers> kept = {};  // null: folded at every call

  /// With more numbers per node, [B, N, ...] each.
  NodeFeatures beside(const std::vector<at::Tensor>& more) const;
  /// The layer on all of it, [B, N, out].
  at::Tensor through(const ops::Linear& layer) const { return through({&layer})[0]; }
  /// Several layers in one product, which costs less than one by one.
  std::vector<at::Tensor> through(const std::vector<const ops::Linear*>& layers) const;
  /// The features themselves and what is beside them, [B, N, H + more].
  at::Tensor all() const;

  NodeFeatures select(const at::Tensor& samples) const;
};

/// What a processor sees of the encoded inputs and hints at one step.
struct Features {
  NodeFeatures node;     // [B, N, (R)]
  EdgeFeatures edge;     // [B, N, N, (R)]
  at::Tensor graph;      // [B, H]
  at::Tensor adjacency;  // [B, N, N] bool, symmetric, with self loops
};

}  // namespace npq::nn
