#include <cmath>

#include "npq/kernels/adam/adam.h"

namespace npq::kernels {

void adam_update_reference(const AdamSpan& span, const AdamStep& s) {
  for (std::int64_t i = 0; i < span.size; ++i) {
    const float g = span.gradient ? s.gradient_scale * span.gradient[i] : 0;
    span.m[i] = s.b1 * span.m[i] + s.m_share * g;
    span.v[i] = s.b2 * span.v[i] + s.v_share * (g * g);
    span.value[i] -= s.rate * s.m_scale * span.m[i] / (std::sqrt(s.v_scale * span.v[i]) + s.eps);
  }
}

}  // namespace npq::kernels
