#pragma once
#include <ATen/core/Tensor.h>

#include "npq/lrgb/norms.h"

namespace npq::lrgb {

/// unit_rows(relu(batch_norm(x, scale, offset, Mode::Train, statistics))) in a few passes over x
/// instead of some thirty, on all kernel threads. Sums over nodes are divided by sizes alone: the
/// bits do not depend on the number of threads.
at::Tensor norm_relu_unit(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& offset,
                          BatchStatistics& statistics);

}  // namespace npq::lrgb
