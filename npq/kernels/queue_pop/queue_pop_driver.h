#pragma once
#include "npq/kernels/queue_pop/queue_pop.h"
#include "npq/kernels/queue_pop/queue_pop_tile.h"

// How a call becomes graphs. queue_pop.h chooses the loops; tests hand in others.
namespace npq::kernels {

void queue_pop_forward_with(const QueuePopLoops& loops, const QueuePopShape& shape,
                            const QueuePopInputs<float>& in, float* value, float* total,
                            int threads);
void queue_pop_backward_with(const QueuePopLoops& loops, const QueuePopShape& shape,
                             const QueuePopInputs<float>& in, const float* dvalue,
                             const float* dtotal, const QueuePopGradients<float>& gradients,
                             int threads);

}  // namespace npq::kernels
