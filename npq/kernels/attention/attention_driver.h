#pragma once
#include "npq/kernels/attention/attention.h"
#include "npq/kernels/attention/attention_tile.h"

// How a call becomes tiles. attention.h chooses the loops; tests hand in others.
namespace npq::kernels {

void attention_forward_with(const AttentionLoops& loops, const AttentionShape& shape,
                            const AttentionInputs<float>& in, float* agg, float* norms,
                            int threads);
void attention_backward_with(const AttentionLoops& loops, const AttentionShape& shape,
                             const AttentionInputs<float>& in, const float* norms,
                             const float* dagg, const AttentionGradients<float>& gradients,
                             int threads);

}  // namespace npq::kernels
