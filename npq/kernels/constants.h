#pragma once

// Numbers of the equations that kernels, their references and the composed path share.
namespace npq::kernels {

/// The slope of every LeakyReLU below 0.
inline constexpr double kLeak = 0.01;

/// What the logit of a slot or a node falls by that must get nothing of a softmax.
inline constexpr double kExcluded = 1e9;

/// An element of a memory counts as present from this strength on. (D8)
inline constexpr double kLeastStrength = 1e-6;

/// Keeps the published code from dividing by 0 where it cuts requests. (D7)
inline constexpr double kGrantEpsilon = 1e-6;

}  // namespace npq::kernels
