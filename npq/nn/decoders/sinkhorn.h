#pragma once
#include <ATen/core/Tensor.h>

#include "npq/ops/stream.h"

namespace npq::nn {

/// The logarithm of a doubly stochastic matrix near softmax(scores / 0.1), by alternately
/// normalising rows and columns `steps` times. The diagonal is excluded: in a cycle of two nodes or
/// more no node points to itself. `noise`, where given, adds Gumbel noise to the scores first.
/// scores [..., N, N] -> [..., N, N]
at::Tensor log_sinkhorn(const at::Tensor& scores, int steps, ops::Stream* noise = nullptr);

inline constexpr int kSinkhornDecoderSteps = 10;  // as part of the decoder
inline constexpr int kSinkhornHintSteps = 25;     // before a hint is fed back
inline constexpr int kSinkhornOutputSteps = 50;   // before an output is read off

}  // namespace npq::nn
