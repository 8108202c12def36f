#include "npq/kernels/message/message.h"

#include "npq/base/error.h"
#include "npq/base/simd.h"
#include "npq/kernels/calls.h"
#include "npq/kernels/message/message_driver.h"

namespace npq::kernels {
namespace {

void check(const MessageShape& shape) {
  if (shape.nodes > kMostMessageNodes)
    throw Error("a graph has {} nodes; fused messages take at most {}", shape.nodes,
                kMostMessageNodes);
}

}  // namespace

std::size_t kept_floats(const MessageShape& shape, MemoryRows memory_rows) {
  const int messages = shape.nodes + (memory_rows == MemoryRows::Own ? 1 : 0);
  return static_cast<std::size_t>(shape.nodes) * messages * shape.hidden;
}

void message_forward(const MessageShape& shape, const MessageInputs<float>& in, float* agg,
                     std::uint16_t* arg, float* kept, int threads) {
  check(shape);
  count_call(Kernel::Message);
  switch (active_simd_level()) {
    case SimdLevel::Amx:
      return message_forward_with(message_loops_amx(), shape, in, agg, arg, kept, threads);
    case SimdLevel::Avx512:
      return message_forward_with(message_loops_avx512(), shape, in, agg, arg, kept, threads);
    case SimdLevel::Avx2:
      return message_forward_with(message_loops_avx2(), shape, in, agg, arg, kept, threads);
    case SimdLevel::Reference:
      return message_forward_reference(shape, in, agg, arg);
  }
}

void message_backward(const MessageShape& shape, const MessageInputs<float>& in,
                      const std::uint16_t* arg, const float* dagg, const float* kept,
                      const MessageGradients<float>& gradients, int threads) {
  check(shape);
  count_call(Kernel::MessageBackward);
  switch (active_simd_level()) {
    case SimdLevel::Amx:
      return message_backward_with(message_loops_amx(), shape, in, arg, dagg, kept, gradients,
                                   threads);
    case SimdLevel::Avx512:
      return message_backward_with(message_loops_avx512(), shape, in, arg, dagg, kept, gradients,
                                   threads);
    case SimdLevel::Avx2:
      return message_backward_with(message_loops_avx2(), shape, in, arg, dagg, kept, gradients,
                                   threads);
    case SimdLevel::Reference:
      return message_backward_reference(shape, in, arg, dagg, gradients);
  }
}

}  // namespace npq::kernels
