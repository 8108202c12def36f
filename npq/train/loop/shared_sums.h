#pragma once
#include <span>
#include <vector>

#include "npq/train/loop/parts.h"
#include "npq/train/ranks/ranks.h"

namespace npq::train {

/// A UsageError where there are more ranks than parts of such a batch.
void check_shareable(const Ranks& ranks, std::int64_t samples);

/// The sum of all parts of a batch, of which each rank has those of its share; the places of the
/// others are empty but for `gradients` of the right number. The additions are those of
/// sum_of_parts, so the bits do not depend on the number of ranks: a rank makes those whose terms it
/// has all, then sends what is left to all others in one message, and each makes the rest.
PartSums sum_over_ranks(std::vector<PartSums> parts, std::span<const at::Tensor> parameters,
                        Ranks& ranks);

}  // namespace npq::train
