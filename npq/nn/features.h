#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

#include "npq/ops/linear.h"

namespace npq::nn {

/// Edge features in the form in which they arise. An encoder is affine, so with R encoded numbers
/// per ordered pair
///   edge_fts[b,s,r,:] = sum_k values[b,s,r,k] * rows[k,:] + bias
/// has rank R (3 for dijkstra, at most about 10), not H. The array [B,N,N,H] is never built.
struct EdgeFeatures {
  at::Tensor values;  // [B, N, N, R]
  at::Tensor rows;    // [R, H]
  at::Tensor bias;    // [H]
  /// Which channels of `values` carry a gradient, for kernels to spare the others; empty: all.
  std::vector<bool> value_gradients = {};

  /// Lin(edge_fts) = values C + c with C = rows W [R, out] and c = bias W + b. Where the layer
  /// reads more than the edges, they come first: the first H rows of W are theirs.
  at::Tensor fold(const Linear& layer) const;

  /// C and c alone, for kernels that never build the product.
  struct Folded {
    at::Tensor rows;    // [R, out]
    at::Tensor offset;  // [out]
  };
  Folded folded(const Linear& layer) const;
};

/// What a processor sees of the encoded inputs and hints at one step.
struct Features {
  at::Tensor node;       // [B, N, H]
  EdgeFeatures edge;     // [B, N, N, (R)]
  at::Tensor graph;      // [B, H]
  at::Tensor adjacency;  // [B, N, N] bool, symmetric, with self loops
};

}  // namespace npq::nn
