#pragma once
#include <cstdint>
#include <vector>

#include "npq/clrs/spec/spec.h"
#include "npq/model/batch.h"

namespace npq::test {

/// A spec with every kind of input, hint and output that a network can encode and predict.
clrs::Spec spec_of_everything();

/// Random values of the right kind for every probe, in double; hints are zero behind each sample's
/// end.
model::TensorBatch random_batch(const clrs::Spec& spec, std::int64_t nodes,
                                const std::vector<std::int64_t>& lengths, std::uint64_t seed);

/// The same batch with node order[k] renamed to k: places move, and pointers follow.
model::TensorBatch with_nodes_permuted(const clrs::Spec& spec, const model::TensorBatch& batch,
                                       const std::vector<std::int64_t>& order);

/// Logits of a probe [B, ...] with all their node axes permuted alike.
at::Tensor logits_permuted(const clrs::Probe& probe, at::Tensor logits,
                           const std::vector<std::int64_t>& order);

}  // namespace npq::test
