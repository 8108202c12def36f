#pragma once
#include <cstdint>

// One update of Adam over all parameters.
namespace npq::kernels {

/// One parameter's numbers; no gradient (null) is a gradient of zeros.
struct AdamSpan {
  float* value;
  const float* gradient;
  float *m, *v;
  std::int64_t size;
};

struct AdamStep {
  float rate, b1, b2, eps;
  float m_share, v_share;  // 1 - b1, 1 - b2, which float32 cannot subtract well enough
  float m_scale, v_scale;  // 1 / (1 - b1^t), 1 / (1 - b2^t)
  float gradient_scale;    // below 1 if gradients are clipped
};

/// The sum of squares of all gradients, in double, in the same order for any number of threads.
double gradient_squares(const AdamSpan* spans, int count, int threads);

/// With g = gradient_scale * gradient:
///   m <- b1 m + m_share g,   v <- b2 v + v_share g^2
///   value <- value - rate m_scale m / (sqrt(v_scale v) + eps)
/// The spans do not overlap. The same bits for any number of threads.
void adam_update(const AdamSpan* spans, int count, const AdamStep& step, int threads);

void adam_update_reference(const AdamSpan& span, const AdamStep& step);

// Between the entry and the loops of one level. Plain data only: what an inline function that stood
// here would be compiled to depends on the file.

struct AdamLoops {
  void (*update)(const AdamSpan& span, const AdamStep& step);
  double (*squares)(const float* gradient, std::int64_t size);
};

extern const AdamLoops kAdamAvx2, kAdamAvx512;

/// In pieces of kAdamPiece numbers, whatever the threads. Tests hand in other loops.
inline constexpr std::int64_t kAdamPiece = 16384;
double gradient_squares_with(const AdamLoops& loops, const AdamSpan* spans, int count, int threads);
void adam_update_with(const AdamLoops& loops, const AdamSpan* spans, int count,
                      const AdamStep& step, int threads);

}  // namespace npq::kernels
