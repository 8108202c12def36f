#pragma once
#include <ATen/core/Tensor.h>

#include "npq/kernels/neighbours.h"

namespace npq::ops {

/// Lists of partners as tensors, so that they live as long as a graph of gradients needs them. Make
/// them once where the adjacency stays the same over steps.
struct NeighbourTensors {
  at::Tensor offsets;  // [B * N + 1] int32
  at::Tensor list;     // [E] int32

  bool defined() const { return offsets.defined(); }
  kernels::Neighbours view() const;
};

/// From a mask [B, N, N] bool. Senders: node r's partners are the s with mask[b,s,r], as fused
/// messages need them. Attended: node i's partners are the j with mask[b,i,j], as attention does.
NeighbourTensors list_senders(const at::Tensor& mask);
NeighbourTensors list_attended(const at::Tensor& mask);

}  // namespace npq::ops
