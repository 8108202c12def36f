#include "npq/kernels/edge_pointer/edge_pointer.h"

#include "npq/base/simd.h"
#include "npq/kernels/calls.h"
#include "npq/kernels/edge_pointer/edge_pointer_driver.h"

namespace npq::kernels {
namespace {

/// Null: the reference.
const EdgePointerLoops* active_loops() {
  switch (active_simd_level()) {
    case SimdLevel::Amx:  // no products of matrices here
    case SimdLevel::Avx512:
      return &edge_pointer_loops_avx512();
    case SimdLevel::Avx2:
      return &edge_pointer_loops_avx2();
    case SimdLevel::Reference:
      break;
  }
  return nullptr;
}

}  // namespace

void edge_pointer_forward(const EdgePointerShape& shape, const EdgePointerInputs<float>& in,
                          float* logits, int threads) {
  count_call(Kernel::EdgePointer);
  const auto* loops = active_loops();
  if (!loops) return edge_pointer_forward_reference(shape, in, logits);
  edge_pointer_forward_with(*loops, shape, in, logits, threads);
}

void edge_pointer_backward(const EdgePointerShape& shape, const EdgePointerInputs<float>& in,
                           const float* dlogits, const EdgePointerGradients<float>& gradients,
                           int threads) {
  count_call(Kernel::EdgePointerBackward);
  const auto* loops = active_loops();
  if (!loops) return edge_pointer_backward_reference(shape, in, dlogits, gradients);
  edge_pointer_backward_with(*loops, shape, in, dlogits, gradients, threads);
}

}  // namespace npq::kernels
