#include "npq/kernels/attention/attention.h"

#include "npq/base/error.h"
#include "npq/base/simd.h"
#include "npq/kernels/attention/attention_driver.h"
#include "npq/kernels/calls.h"

namespace npq::kernels {
namespace {

/// Null: the reference.
const AttentionLoops* active_loops() {
  switch (active_simd_level()) {
    case SimdLevel::Amx:  // no products of matrices here
    case SimdLevel::Avx512:
      return &attention_loops_avx512();
    case SimdLevel::Avx2:
      return &attention_loops_avx2();
    case SimdLevel::Reference:
      break;
  }
  return nullptr;
}

}  // namespace

void attention_forward(const AttentionShape& shape, const AttentionInputs<float>& in, float* agg,
                       float* norms, int threads) {
  if (const auto* offsets = in.neighbours.offsets) {
    for (int i = 0; i < shape.batch * shape.nodes; ++i) {
      if (offsets[i] == offsets[i + 1])
        throw Error("node {} of graph {} attends to nobody; give every node an edge to itself",
                    i % shape.nodes, i / shape.nodes);
    }
  }
  count_call(Kernel::Attention);
  const auto* loops = active_loops();
  if (!loops) return attention_forward_reference(shape, in, agg, norms);
  attention_forward_with(*loops, shape, in, agg, norms, threads);
}

void attention_backward(const AttentionShape& shape, const AttentionInputs<float>& in,
                        const float* norms, const float* dagg,
                        const AttentionGradients<float>& gradients, int threads) {
  count_call(Kernel::AttentionBackward);
  const auto* loops = active_loops();
  if (!loops) return attention_backward_reference(shape, in, norms, dagg, gradients);
  attention_backward_with(*loops, shape, in, norms, dagg, gradients, threads);
}

}  // namespace npq::kernels
