#pragma once
#include <ATen/core/Tensor.h>

#include "npq/kernels/message/message.h"
#include "npq/ops/neighbour_lists.h"

namespace npq::ops {

/// What the fused messages of the pointer graph network's family are made of; float32, CPU.
///   x[b,s,r] = recv[b,r] + send[b,s] + sum_k values[b,s,r,k] rows[k]
///   m = relu(relu(x) w0 + b0) w1 + b1,   agg[b,r] = max over s that r hears of m[b,s,r]
struct MessageArguments {
  at::Tensor recv;            // [B, N, H]: m1(z) + mg(graph) + the edge features' folded bias
  at::Tensor send;            // [B, N, H]: m2(z)
  at::Tensor values;          // [B, N, N, R], sender first
  at::Tensor rows;            // [R, H]: the edge encoders' rows, folded into me
  at::Tensor w0, b0, w1, b1;  // [H, H], [H], [H, H], [H]
  kernels::Senders senders = kernels::Senders::All;
  NeighbourTensors neighbours = {};  // of Senders::Listed: list_senders(mask)
  at::Tensor memory = {};            // [B, N, H], joins before the message network
  kernels::Delivery delivery = kernels::Delivery::Nobody;
  /// Which channels of `values` carry a gradient (fed-back hints); empty: all, if values does.
  std::vector<bool> value_gradients = {};
};

/// agg [B, N, H]. Stores for the gradients nothing larger than its arguments, and of small graphs
/// the messages' middle layer as far as it finds room (kept.h); has no second derivatives.
at::Tensor fused_messages(const MessageArguments& arguments);

}  // namespace npq::ops
