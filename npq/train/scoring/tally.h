#pragma once
#include "npq/clrs/spec/spec.h"
#include "npq/train/scoring/score_sheet.h"

namespace npq::train {

/// What one sample adds to a score. Scores of several samples come from summed tallies, never from
/// averaged scores: F1 counts over the whole set.
struct Tally {
  double right = 0, all = 0;  // elements or rows that count; for scalars `right` is squared error
  double true_positive = 0, false_positive = 0, false_negative = 0;  // masks

  Tally& operator+=(const Tally& other);
};

/// Whether `probe` of this spec is scored by itself; the mask of a permutation is part of it.
bool is_scored(const clrs::Spec& spec, const clrs::Probe& probe);

/// `mask` belongs to a permutation pointer and is ignored for all else.
Tally tally(const clrs::Probe& probe, int nodes, const Decided& values, const Decided* mask);

/// Whether nothing in it is wrong.
bool is_perfect(const clrs::Probe& probe, const Tally& tally);

/// The benchmark's score:
///   pointer                the share of right ones
///   mask_one, categorical  the share of right rows, among rows that are not masked
///   mask                   F1 over all elements that are not masked
///   scalar                 mean squared error
///   permutation pointer    with its `_mask` read as the pointer it stands for
double score_of(const clrs::Probe& probe, const Tally& tally);

}  // namespace npq::train
