#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

#include "npq/ops/neighbour_lists.h"

namespace npq::ops {

/// What attention of nodes to nodes is made of; float32, CPU. With K heads of D logit numbers each:
///   e[b,i,j,h] = sum_d combine[h,d] leaky_relu(own[b,i,h,d] + other[b,j,h,d] + values[b,i,j]
///   rows[:,h,d]) agg[b,i,h] = sum_j softmax_j(e[b,i,j,h]) messages[b,j,h]
/// GAT: D = 1, own = a1(z) + ag(graph) + the edges' folded bias, other = a2(z), no combine.
/// GATv2: D = H / K, own = w2(z) + wg(graph) + the edges' folded bias, other = w1(z), combine = the
/// weights of all ah side by side; their biases cancel in the softmax and have gradient zero.
struct AttentionArguments {
  std::int64_t heads = 1;
  at::Tensor own, other;                   // [B, N, K * D]
  at::Tensor values;                       // [B, N, N, R], the node that attends first
  at::Tensor rows;                         // [R, K * D]
  at::Tensor messages;                     // [B, N, H]: m(z)
  at::Tensor combine = {};                 // [K * D]; may be undefined where D = 1
  NeighbourTensors neighbours = {};        // list_attended(mask); undefined: everybody
  std::vector<bool> value_gradients = {};  // channels of `values` that carry one; empty: all
};

/// agg [B, N, H]. Has no second derivatives.
at::Tensor fused_attention(const AttentionArguments& arguments);

}  // namespace npq::ops
