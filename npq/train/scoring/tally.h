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

/// Accuracy, micro F1 (masks) or mean squared error (scalars).
double score_of(const clrs::Probe& probe, const Tally& tally);

}  // namespace npq::train
