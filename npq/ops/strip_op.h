#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace npq::ops {

/// One step of a strip of slots; float32, CPU. The equations are in kernels/strip.
struct StripArguments {
  at::Tensor v;                     // [R, S, F]
  at::Tensor weight;                // [R, K, S]
  at::Tensor values;                // [R, W, F]
  std::vector<std::int64_t> slots;  // W: where each value goes; of equal ones the last counts
};

struct FusedStrip {
  at::Tensor read;  // [R, K, F]
  at::Tensor v;     // [R, S, F], after the writes
};

/// Nothing is changed in place. Has no second derivatives.
FusedStrip fused_strip(const StripArguments& arguments);

}  // namespace npq::ops
