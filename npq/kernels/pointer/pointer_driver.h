#pragma once
#include "npq/kernels/pointer/pointer.h"
#include "npq/kernels/pointer/pointer_tile.h"

// How a call becomes tiles. pointer.h chooses the loops; tests hand in others.
namespace npq::kernels {

void pointer_forward_with(const PointerLoops& loops, const PointerShape& shape,
                          const PointerInputs<float>& in, float* logits, int threads);
void pointer_backward_with(const PointerLoops& loops, const PointerShape& shape,
                           const PointerInputs<float>& in, const float* dlogits,
                           const PointerGradients<float>& gradients, int threads);

}  // namespace npq::kernels
