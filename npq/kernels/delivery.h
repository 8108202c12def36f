#pragma once
#include <cstdint>

namespace npq::kernels {

/// Who hears the row that a memory has for node i: node i itself; all nodes; node i, N times over
/// (the published code's send-to-all, D3: no difference under a maximum, a factor N in a sum).
/// Nobody: there is no row.
enum class Delivery : std::uint8_t { Nobody, Self, All, SelfRepeat };

}  // namespace npq::kernels
