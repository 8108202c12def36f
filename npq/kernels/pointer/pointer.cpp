#include "npq/kernels/pointer/pointer.h"

#include "npq/base/simd.h"
#include "npq/kernels/calls.h"
#include "npq/kernels/pointer/pointer_driver.h"

namespace npq::kernels {
namespace {

/// Null: the reference.
const PointerLoops* active_loops() {
  switch (active_simd_level()) {
    case SimdLevel::Amx:  // no products of matrices here
    case SimdLevel::Avx512:
      return &pointer_loops_avx512();
    case SimdLevel::Avx2:
      return &pointer_loops_avx2();
    case SimdLevel::Reference:
      break;
  }
  return nullptr;
}

}  // namespace

void pointer_forward(const PointerShape& shape, const PointerInputs<float>& in, float* logits,
                     int threads) {
  count_call(Kernel::Pointer);
  const auto* loops = active_loops();
  if (!loops) return pointer_forward_reference(shape, in, logits);
  pointer_forward_with(*loops, shape, in, logits, threads);
}

void pointer_backward(const PointerShape& shape, const PointerInputs<float>& in,
                      const float* dlogits, const PointerGradients<float>& gradients, int threads) {
  count_call(Kernel::PointerBackward);
  const auto* loops = active_loops();
  if (!loops) return pointer_backward_reference(shape, in, dlogits, gradients);
  pointer_backward_with(*loops, shape, in, dlogits, gradients, threads);
}

}  // namespace npq::kernels
