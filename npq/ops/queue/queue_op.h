#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

#include "npq/kernels/queue_pop/queue_pop.h"
#include "npq/kernels/queue_push/queue_push.h"

namespace npq::ops {

/// Popping from the neural priority queue; float32, CPU. The equations are in kernels/queue_pop.
struct QueuePopArguments {
  kernels::QueuePopShape choices;  // sizes are taken from the tensors
  at::Tensor asked;                // [B, N, K]: f_a1(z)
  at::Tensor held;                 // [B, S, K]: f_a2(v)
  at::Tensor combine;   // [K] or [K, 1]: the weights of f_a; undefined with single_head_skip
  at::Tensor strength;  // [B, N] or [B, 1]: s_pop; undefined with Pop::Keep
  at::Tensor s;         // [B, S]; undefined with Pop::Keep
  at::Tensor v;         // [B, S, F]
  at::Tensor occupied;  // [B, S] bool
  at::Tensor real;      // [B, N] bool; undefined: all nodes are
};

struct FusedPopped {
  at::Tensor value;  // [B, N, F]
  at::Tensor total;  // [B, S]; undefined with Pop::Keep
};

/// Has no second derivatives.
FusedPopped fused_pop(const QueuePopArguments& arguments);

/// Pushing into it; the rules are in kernels/queue_push.
struct QueuePushArguments {
  kernels::QueuePushShape choices;   // sizes are taken from the tensors; `step` is not
  std::vector<at::Tensor> rows;      // what a slot holds, each [B, S, its width]
  std::vector<at::Tensor> new_rows;  // as many, each [B, its width]
  at::Tensor s, total;               // [B, S]; undefined with Pop::Keep
  at::Tensor new_s;                  // [B] or [B, 1]; undefined with Pop::Keep
  at::Tensor written;                // [B, S] int64
  at::Tensor write_slot;             // [B] int64, with WriteSlot::PreviousStep
};

struct FusedPushed {
  std::vector<at::Tensor> rows;
  at::Tensor s;                    // undefined with Pop::Keep
  at::Tensor written, write_slot;  // write_slot undefined unless WriteSlot::PreviousStep
};

/// Nothing is changed in place. Has no second derivatives.
FusedPushed fused_push(const QueuePushArguments& arguments);

}  // namespace npq::ops
