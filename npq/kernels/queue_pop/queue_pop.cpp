#include "npq/kernels/queue_pop/queue_pop.h"

#include "npq/base/simd.h"
#include "npq/kernels/calls.h"
#include "npq/kernels/queue_pop/queue_pop_driver.h"

namespace npq::kernels {
namespace {

/// Null: the reference.
const QueuePopLoops* active_loops() {
  switch (active_simd_level()) {
    case SimdLevel::Amx:  // too small for tiles
    case SimdLevel::Avx512:
      return &queue_pop_loops_avx512();
    case SimdLevel::Avx2:
      return &queue_pop_loops_avx2();
    case SimdLevel::Reference:
      break;
  }
  return nullptr;
}

}  // namespace

void queue_pop_forward(const QueuePopShape& shape, const QueuePopInputs<float>& in, float* value,
                       float* total, int threads) {
  count_call(Kernel::QueuePop);
  const auto* loops = active_loops();
  if (!loops) return queue_pop_forward_reference(shape, in, value, total);
  queue_pop_forward_with(*loops, shape, in, value, total, threads);
}

void queue_pop_backward(const QueuePopShape& shape, const QueuePopInputs<float>& in,
                        const float* dvalue, const float* dtotal,
                        const QueuePopGradients<float>& gradients, int threads) {
  count_call(Kernel::QueuePopBackward);
  const auto* loops = active_loops();
  if (!loops) return queue_pop_backward_reference(shape, in, dvalue, dtotal, gradients);
  queue_pop_backward_with(*loops, shape, in, dvalue, dtotal, gradients, threads);
}

}  // namespace npq::kernels
