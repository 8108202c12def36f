#pragma once
#include "npq/kernels/adam/adam.h"

// Between adam.cpp and the loops of one instruction set. Plain data only.
namespace npq::kernels {

struct AdamLoops {
  void (*update)(const AdamSpan& span, const AdamStep& step);
  double (*squares)(const float* gradient, std::int64_t size);
};

const AdamLoops& adam_loops_avx2();
const AdamLoops& adam_loops_avx512();

/// In pieces of kAdamPiece numbers, whatever the threads. Tests hand in other loops.
inline constexpr std::int64_t kAdamPiece = 16384;
double gradient_squares_with(const AdamLoops& loops, const AdamSpan* spans, int count, int threads);
void adam_update_with(const AdamLoops& loops, const AdamSpan* spans, int count,
                      const AdamStep& step, int threads);

}  // namespace npq::kernels
