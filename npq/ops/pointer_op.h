#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

namespace npq::ops {

/// What the decoder of node pointers is made of; float32, CPU.
///   logits[b,i,j] = weights . max(from[b,i], to[b,j] + values[b,j,i] rows + dense[b,j,i]) + bias
struct PointerArguments {
  at::Tensor from;                         // [B, N, H]: D0(h)
  at::Tensor to;                           // [B, N, H]: D1(h) + the edge features' folded bias
  at::Tensor values;                       // [B, N, N, R]
  at::Tensor rows;                         // [R, H]: the edge encoders' rows, folded into D2
  at::Tensor weights;                      // [H] or [H, 1]: D3's
  at::Tensor bias;                         // [1]
  at::Tensor dense = {};                   // [B, N, N, H]: D2 of triplet messages, if there are any
  std::vector<bool> value_gradients = {};  // channels of `values` that carry one; empty: all
};

/// [B, N, N]. Has no second derivatives.
at::Tensor fused_pointers(const PointerArguments& arguments);

/// What the decoder of edge pointers is made of.
///   logits[b,i,j,k] = weights . max(tail[b,i] + head[b,j] + values[b,i,j] rows + dense[b,i,j],
///   to[b,k]) + bias
struct EdgePointerArguments {
  at::Tensor tail;        // [B, N, H]: D0(h) + the edge features' folded bias
  at::Tensor head;        // [B, N, H]: D1(h)
  at::Tensor values;      // [B, N, N, R]
  at::Tensor rows;        // [R, H]
  at::Tensor to;          // [B, N, H]: D3(h)
  at::Tensor weights;     // [H] or [H, 1]: D4's
  at::Tensor bias;        // [1]
  at::Tensor dense = {};  // [B, N, N, H]
  std::vector<bool> value_gradients = {};
};

/// [B, N, N, N]. Has no second derivatives.
at::Tensor fused_edge_pointers(const EdgePointerArguments& arguments);

}  // namespace npq::ops
