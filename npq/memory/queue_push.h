#pragma once
#include "npq/memory/memory.h"
#include "npq/memory/options.h"

// Pushing: the state after a step.                                               [NPQ, eq. 25-30]
namespace npq::memory {

struct Pushed {
  at::Tensor value;     // v_new [B, F]
  at::Tensor strength;  // s_new [B, 1]; undefined with Pop::Keep
  at::Tensor drained;   // what was taken out of each slot [B, S]; undefined with Pop::Keep
  MemoryState next_state;
};

///   s'_j  = s_j - min(total_j, s_j); below 1e-6 the slot is free                      [eq. 25-27]
///   v_new = tanh(sum_i f_v(z_i)),  s_new = sigmoid(sum_i f_s_push(z_i))               [eq. 28-29]
///   the new element goes to the lowest free slot                                         [eq. 30]
/// The paper's list has no end; ours has S slots. A full queue gives up its weakest element, one
/// without strengths its oldest (D6, our decision). A push below 1e-6 adds no element: it takes no
/// slot.
Pushed push(const PriorityQueueOptions& options, const ops::ParameterStore& parameters,
            const at::Tensor& z, const at::Tensor& total, const MemoryState& state);

/// The same by the fused kernel, for float32; `drained` has no gradient here.
Pushed fused_push(const PriorityQueueOptions& options, const ops::ParameterStore& parameters,
                  const at::Tensor& z, const at::Tensor& total, const MemoryState& state);

}  // namespace npq::memory
