#pragma once
#include "npq/clrs/dataset/batch.h"
#include "npq/random/random_state.h"

// The benchmark's transformations of a batch before training, in this order.
namespace npq::clrs {

/// Replaces `pos` by sorted random numbers, string by string. One draw of [B, n] per batch.
void randomize_positions(Batch& batch, random::RandomState& random);

/// If the hint `pred_h` never changes, it becomes the input `pred`. Other batches
/// stay as they are.
void pred_as_input(Batch& batch);
Spec pred_as_input(const Spec& spec);

/// A sort's output `pred` becomes a permutation matrix, in which the first node points to the last,
/// and `pred_mask` marks the first.
void enforce_permutations(Batch& batch);
/// Or only its type changes: an ordinary pointer.
void relax_permutations(Batch& batch);
Spec enforce_permutations(const Spec& spec);
Spec relax_permutations(const Spec& spec);

}  // namespace npq::clrs
