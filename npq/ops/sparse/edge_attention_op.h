#pragma once
#include <ATen/core/Tensor.h>

#include <memory>

#include "npq/kernels/edge_attention/edge_attention.h"

namespace npq::ops {

/// GATv2's attention over the edges that reach each node (every node must be reached), for left and
/// right [n, D] and att [D], float32 or double, CPU; the equations are in kernels/edge_attention.
/// Never holds a row per edge. Has no second derivatives.
at::Tensor edge_attention(const std::shared_ptr<const kernels::EdgeLists>& edges,
                          const at::Tensor& left, const at::Tensor& right, const at::Tensor& att);

}  // namespace npq::ops
