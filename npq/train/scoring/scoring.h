#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "npq/train/network.h"
#include "npq/train/ranks/ranks.h"
#include "npq/train/scoring/score_sheet.h"

namespace npq::train {

struct ScoringOptions {
  std::int64_t batch = 32;
  bool hints = false;  // also the predictions of hints, of every step
  memory::Ablation ablation = memory::Ablation::None;
};

/// Decided outputs [B, ...] of a batch beside the true ones, sample by sample.
std::vector<ScoredSample> scored_outputs(const clrs::Spec& spec, const nn::TensorMap& decided,
                                         const nn::TensorMap& truth, int nodes);

/// What a network predicts on samples beside what the algorithm did, in the order of the samples:
/// the records of a score sheet. `progress` counts samples. Each rank computes a share, and all get
/// the whole; a batch is divided by its size alone, so that the number of ranks changes no bit.
std::vector<ScoredSample> score_samples(const Network& network,
                                        std::span<const clrs::Sample> samples,
                                        const ScoringOptions& options,
                                        const clrs::Progress& progress, Ranks& ranks);
/// Alone.
std::vector<ScoredSample> score_samples(const Network& network,
                                        std::span<const clrs::Sample> samples,
                                        const ScoringOptions& options,
                                        const clrs::Progress& progress = {});

}  // namespace npq::train
