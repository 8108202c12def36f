#pragma once
#include <ATen/core/Tensor.h>

#include <string>

#include "npq/memory/memory.h"
#include "npq/memory/options.h"

// Sums and means over the nodes of each graph, where some rows may be padding.
namespace npq::memory {

/// Keeps the mask for the steps to come: the state entry "nodes" [B, N, 1] in z's number type.
void remember_nodes(MemoryState& state, const MemoryBatch& batch);

/// 1 for real nodes, 0 for padding, [B, N, 1]; undefined where all are real.
at::Tensor real_nodes(const MemoryState& state);

/// x [B, N, ...] with the rows of padding set to 0.
at::Tensor without_padding(const at::Tensor& x, const MemoryState& state);

/// Nodes per graph as a tensor that divides [B, ...] with `axes` axes.
at::Tensor node_count(const at::Tensor& z, const MemoryState& state, std::int64_t axes);

/// pool_i (z_i w + b), [B, out]. Computed as (pool_i z_i) w + b, b counted once per node in a sum:
/// an N-th of the work. Max takes each number from the node that has most of it. Softmax: a mean
/// weighted by softmax_i(Lin z_i), with the layer "memory/push".
at::Tensor pooled_linear(const ops::ParameterStore& parameters, const std::string& name,
                         const at::Tensor& z, const MemoryState& state, Pool pool);

}  // namespace npq::memory
