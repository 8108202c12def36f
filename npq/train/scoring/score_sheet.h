#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "npq/clrs/spec/spec.h"

// What an evaluation says about a network, from plain lists of predictions: whoever has those can
// recompute every figure. Free of torch.
namespace npq::train {

/// A figure over all samples, and the 95% interval that chance in the choice of samples leaves.
struct Figure {
  double value = 0, low = 0, high = 0;
  bool operator==(const Figure&) const = default;
};

/// One probe of one sample: decided predictions beside what the algorithm did, laid out as in the
/// benchmark ([N], [N,N], [N,N,C], ...). Hints have their steps 1..T-1 one after the other.
struct Decided {
  std::vector<double> predicted, truth;
  bool operator==(const Decided&) const = default;
};

/// All that is known about one sample; every figure is a function of these.
struct ScoredSample {
  int nodes = 0;
  std::map<std::string, Decided> outputs;
  std::map<std::string, Decided> hints;  // empty: not asked for
  std::vector<int> valid;                // per node 0 or 1; empty: the question makes no sense
  bool operator==(const ScoredSample&) const = default;
};

struct ScoreSheet {
  Figure score;                           // plain mean of the outputs, the benchmark's score
  std::map<std::string, Figure> outputs;  // as the benchmark scores each (tally.h)
  Figure exact;                           // share of samples in which all of every output is right
  std::optional<Figure> valid;            // share of nodes whose parent is a correct answer
  std::optional<Figure> all_valid;        // share of samples in which all nodes have one
  /// Scored like outputs, over all steps of all samples; a hint without any step is left out.
  std::map<std::string, Figure> hints;
};

/// The benchmark's scores of all samples together: validation and test are judged by these.
struct Scores {
  std::map<std::string, double> outputs;  // see tally.h
  double score = 0;                       // their plain mean

  bool operator==(const Scores&) const = default;
};
Scores scores_of(const clrs::Spec& spec, std::span<const ScoredSample> samples);

inline constexpr int kResamples = 1000;
inline constexpr std::uint32_t kResamplingSeed = 1;

/// `spec` is what the network predicts. Intervals: percentiles 2.5 and 97.5 (linear between ranks)
/// of the figure over 1000 resamples of the samples, drawn with a fixed seed: the same samples give
/// the same sheet.
ScoreSheet score_sheet(const clrs::Spec& spec, std::span<const ScoredSample> samples);

/// The score of every sample by itself, the mean of its outputs: what two networks are compared by
/// on the same samples. Their mean is the sheet's score but for masks, whose F1 counts over the
/// whole set.
std::vector<double> sample_scores(const clrs::Spec& spec, std::span<const ScoredSample> samples);

/// What the first network scores more than the second, sample by sample, as a mean with its 95%
/// interval. Both lists are of the same samples.
Figure mean_difference(const std::vector<double>& scores, const std::vector<double>& others);

}  // namespace npq::train
