#include "npq/train/scoring/scoring.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>

#include "npq/base/error.h"
#include "npq/model/evaluation.h"
#include "npq/nn/decoders/postprocess.h"
#include "npq/nn/decoders/sinkhorn.h"
#include "npq/ops/threads.h"
#include "npq/train/loop/parts.h"
#include "npq/train/scoring/sample_bytes.h"
#include "npq/train/scoring/validity.h"

namespace npq::train {
namespace {

using clrs::Stage;

constexpr double kMostHintBytes = 1e9;  // of one batch, before it is made smaller

std::vector<double> values_of(const at::Tensor& tensor) {
  const auto plain = tensor.to(at::kDouble).contiguous();
  const auto* data = plain.data_ptr<double>();
  return {data, data + plain.numel()};
}

/// Hint predictions of all steps are kept at once, and those of edge pointers are cubes.
std::int64_t batch_size(const clrs::Spec& spec, std::span<const clrs::Sample> samples,
                        const ScoringOptions& options) {
  if (!options.hints || samples.empty()) return options.batch;
  double numbers = 0;
  const double nodes = samples.front().nodes();
  for (const auto& probe : spec)
    if (probe.stage == Stage::Hint)
      numbers += static_cast<double>(clrs::elements(probe, samples.front().nodes())) *
                 (nn::is_pointer(probe.type) ? nodes : 1);
  int longest = 0;
  for (const auto& sample : samples) longest = std::max(longest, sample.length());
  const double bytes = numbers * longest * sizeof(float);
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(kMostHintBytes / bytes), 1,
                                  options.batch);
}

/// Prediction k is one of the hint of step k + 1, up to each sample's end.
void add_hints(const clrs::Spec& spec, const nn::TensorMap& logits, const model::TensorBatch& batch,
               std::span<ScoredSample> scored) {
  for (const auto& probe : spec) {
    if (probe.stage != Stage::Hint) continue;
    const auto decided = nn::hard_value(probe, logits.at(probe.name), nn::kSinkhornHintSteps);
    const auto& truth = batch.hints.at(probe.name);
    for (std::size_t b = 0; b < scored.size(); ++b) {
      const auto steps = batch.lengths[b] - 1;
      const auto sample = static_cast<std::int64_t>(b);
      scored[b].hints[probe.name] = {values_of(decided.narrow(0, 0, steps).select(1, sample)),
                                     values_of(truth.narrow(0, 1, steps).select(1, sample))};
    }
  }
}

void add_validity(const clrs::Algorithm& algorithm, const clrs::Sample& sample,
                  ScoredSample& scored) {
  if (!has_many_answers(algorithm.name)) return;
  clrs::EdgeScalars A(sample.nodes());
  sample.series("A").expand(0, A.values().data());
  const int s = sample.series("s").frame<std::uint16_t>(0)[0];
  scored.valid = valid_parents(algorithm.name, A, s, scored.outputs.at("pi").predicted);
}

/// What is computed at once. To shuffle memories takes the whole batch.
std::vector<Part> parts_in(std::int64_t samples, const ScoringOptions& options) {
  if (options.ablation != memory::Ablation::None)
    return {{.index = 0, .first = 0, .size = samples}};
  return parts_of(samples);
}

std::vector<ScoredSample> score_batch(const Network& network, std::span<const clrs::Sample> samples,
                                      const ScoringOptions& options) {
  const at::NoGradGuard no_grad;
  const auto& spec = network.task.spec();
  std::vector<const clrs::Sample*> chosen;
  for (const auto& sample : samples) chosen.push_back(&sample);
  const auto batch =
      network.task.batch(chosen, options.hints ? Task::Hints::All : Task::Hints::First);
  const auto unrolled = network.model.unroll(batch, {.mode = model::UnrollOptions::Mode::Evaluate,
                                                     .keep_hints = options.hints,
                                                     .ablation = options.ablation});
  auto scored = scored_outputs(spec, model::decided_outputs(spec, unrolled.outputs), batch.outputs,
                               samples.front().nodes());
  for (std::size_t b = 0; b < samples.size(); ++b)
    add_validity(network.task.algorithm(), samples[b], scored[b]);
  if (options.hints) add_hints(spec, unrolled.hints, batch, scored);
  return scored;
}

std::vector<ScoredSample> joined(std::vector<std::vector<ScoredSample>> lists) {
  std::vector<ScoredSample> all;
  for (auto& list : lists) std::move(list.begin(), list.end(), std::back_inserter(all));
  return all;
}

std::vector<ScoredSample> shared_by_all(std::vector<ScoredSample> own, Ranks& ranks) {
  if (ranks.count() == 1) return own;
  std::vector<std::vector<ScoredSample>> all;
  for (const auto& bytes : ranks.gather(to_bytes(own))) all.push_back(samples_of(bytes));
  return joined(std::move(all));
}

}  // namespace

std::vector<ScoredSample> scored_outputs(const clrs::Spec& spec, const nn::TensorMap& decided,
                                         const nn::TensorMap& truth, int nodes) {
  std::vector<ScoredSample> scored;
  for (const auto& probe : spec) {
    if (probe.stage != Stage::Output) continue;
    const auto &ours = decided.at(probe.name), &theirs = truth.at(probe.name);
    scored.resize(static_cast<std::size_t>(ours.size(0)), ScoredSample{.nodes = nodes});
    for (std::int64_t b = 0; b < ours.size(0); ++b)
      scored[static_cast<std::size_t>(b)].outputs[probe.name] = {values_of(ours.select(0, b)),
                                                                 values_of(theirs.select(0, b))};
  }
  return scored;
}

std::vector<ScoredSample> score_samples(const Network& network,
                                        std::span<const clrs::Sample> samples,
                                        const ScoringOptions& options,
                                        const clrs::Progress& progress, Ranks& ranks) {
  if (options.hints && !network.model.options().decodes_hints())
    throw Error("this model was trained without hints (--hints none) and predicts none");
  const auto total = static_cast<std::int64_t>(samples.size());
  const auto size = batch_size(network.task.spec(), samples, options);
  std::vector<ScoredSample> scored;
  for (std::int64_t begin = 0; begin < total;) {
    // A batch for each rank; what remains at the end is divided by its parts.
    std::vector<Part> parts;
    for (int k = 0; k < ranks.count() && begin < total; ++k) {
      const auto count = std::min(size, total - begin);
      for (auto& part : parts_in(count, options)) {
        part.first += begin;
        parts.push_back(part);
      }
      begin += count;
    }
    const auto own = ranks.share(parts.size());
    std::vector<std::vector<ScoredSample>> some(own.size());
    ops::side_by_side(own.size(), [&](std::size_t k) {
      const auto& part = parts[own.first + k];
      some[k] = score_batch(network, samples.subspan(part.first, part.size), options);
    });
    auto all = shared_by_all(joined(std::move(some)), ranks);
    std::move(all.begin(), all.end(), std::back_inserter(scored));
    if (progress) progress(static_cast<std::int64_t>(scored.size()), total);
  }
  return scored;
}

std::vector<ScoredSample> score_samples(const Network& network,
                                        std::span<const clrs::Sample> samples,
                                        const ScoringOptions& options,
                                        const clrs::Progress& progress) {
  Ranks alone;
  return score_samples(network, samples, options, progress, alone);
}

}  // namespace npq::train
