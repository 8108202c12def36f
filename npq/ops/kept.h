#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>

// What a forward pass keeps so that its backward pass need not compute it again.
namespace npq::ops {

/// All that is kept at a time, by all threads of the process. A training step of 32 graphs of 16
/// nodes and H 128 fills half of it in 16 steps of the algorithm.
inline constexpr std::int64_t kMostKeptBytes = std::int64_t{128} << 20;

/// Memory for so many numbers until the tensor dies, its content whatever it was; undefined where
/// that is more than a sixteenth of kMostKeptBytes (large graphs: few steps would find room) or
/// where no room is left. Whether a thing is kept or computed again must change no bits.
at::Tensor keep(std::int64_t floats);

/// What is in use now.
std::int64_t kept_bytes();

}  // namespace npq::ops
