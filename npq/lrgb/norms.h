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

/// Moves `statistics` a tenth of the way to the mean and the biased variance of a batch of so many
/// nodes; what is remembered is the unbiased variance.
void remember(BatchStatistics& statistics, const at::Tensor& mean, const at::Tensor& variance,
              std::int64_t nodes);

/// (x - mean) / sqrt(variance + 1e-5) * scale + offset over all nodes of the batch, x [n, D]. Train
/// uses the batch's own mean and biased variance and remembers them; Evaluate uses `statistics`.
at::Tensor batch_norm(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& offset,
                      Mode mode, BatchStatistics& statistics);

/// x / max(|x|, 1e-12) by rows.
at::Tensor unit_rows(const at::Tensor& x);

}  // namespace npq::lrgb
