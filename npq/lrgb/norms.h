#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

namespace npq::lrgb {

/// What batch norm remembers of the batches it has seen, for evaluation: a value, like the state of
/// a memory.
struct BatchStatistics {
  at::Tensor mean, variance;  // [D]
};
/// Of a whole network, one per layer that normalises.
using Statistics = std::vector<BatchStatistics>;

enum class Mode { Train, Evaluate };

inline constexpr double kBatchNormEps = 1e-5;

/// (x - mean) / sqrt(variance + 1e-5) * scale + offset over all nodes of the batch, x [n, D]. Train
/// uses the batch's own mean and biased variance and moves `statistics` a tenth of the way to them
/// (what is remembered is the unbiased variance); Evaluate uses `statistics`.
at::Tensor batch_norm(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& offset,
                      Mode mode, BatchStatistics& statistics);

/// unit_rows(relu(batch_norm(x, scale, offset, Mode::Train, statistics))) as one operation.
at::Tensor norm_relu_unit(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& offset,
                          BatchStatistics& statistics);

/// x / max(|x|, 1e-12) by rows.
at::Tensor unit_rows(const at::Tensor& x);

}  // namespace npq::lrgb
