#pragma once
#include <optional>
#include <span>
#include <vector>

#include "npq/report/tables/seeds.h"
#include "npq/report/tables/tables.h"

namespace npq::report {

/// How much better one model is than another on the same samples, seeds averaged: the mean of the
/// differences sample by sample, and the 95% interval that chance in the choice of samples leaves.
struct PairedDifference {
  double mean = 0, low = 0, high = 0;
  int better = 0, worse = 0;  // samples
  int samples = 0;
};

/// `scores` and `others`: one list per seed, one score per sample. Nothing if a list is empty or
/// of another length: then they are not of the same samples. Percentile bootstrap, 1000 resamples
/// drawn with a fixed seed.
std::optional<PairedDifference> paired_difference(std::span<const std::vector<double>> scores,
                                                  std::span<const std::vector<double>> others);

/// The same of two models on one test set, over the seeds that count. Nothing where the scores of
/// single samples are not known.
std::optional<PairedDifference> graph_difference(const Group& model, const Group& other,
                                                 const TestKey& key, const SeedDifference& seeds);

/// Every model against its baseline and against the plain form of its memory, for each test set
/// that both have, with both intervals: over seeds and over graphs.
Table paired_table(const std::vector<Group>& groups);

/// The model without a memory that `of` is compared with, of the same algorithm and processor,
/// asked for as many steps: one of the method "Baseline" if there is any, and of several the one
/// that shares the most options. It may be `of` itself; nullptr if there is none.
const Group* baseline_of(const std::vector<Group>& groups, const Group& of);

/// "NPQ_W" for an experiment's "NPQ_W grant epsilon": the model of the same memory, algorithm,
/// processor and steps that is called as the memory is; nullptr if there is none, and for it.
const Group* plain_form_of(const std::vector<Group>& groups, const Group& of);

}  // namespace npq::report
