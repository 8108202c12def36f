#pragma once
#include "npq/kernels/max_plus/max_plus.h"
#include "npq/kernels/max_plus/max_plus_tile.h"

// How a call becomes tiles. max_plus.h chooses the loops; tests hand in others.
namespace npq::kernels {

void max_plus_forward_with(const MaxPlusLoops& loops, const MaxPlusShape& shape, const float* left,
                           const float* right, float* out, std::uint16_t* arg, int threads);

}  // namespace npq::kernels
