#pragma once
#include "npq/kernels/edge_pointer/edge_pointer.h"
#include "npq/kernels/edge_pointer/edge_pointer_tile.h"

// How a call becomes tiles. edge_pointer.h chooses the loops; tests hand in others.
namespace npq::kernels {

void edge_pointer_forward_with(const EdgePointerLoops& loops, const EdgePointerShape& shape,
                               const EdgePointerInputs<float>& in, float* logits, int threads);
void edge_pointer_backward_with(const EdgePointerLoops& loops, const EdgePointerShape& shape,
                                const EdgePointerInputs<float>& in, const float* dlogits,
                                const EdgePointerGradients<float>& gradients, int threads);

}  // namespace npq::kernels
