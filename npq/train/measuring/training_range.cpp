#include "npq/train/measuring/training_range.h"

#include <fmt/format.h>

#include <algorithm>

#include "npq/clrs/dataset/dataset.h"

namespace npq::train {
namespace {

constexpr int kSamples = 100;
constexpr int kManyTimes = 4;
constexpr double kSlack = 0.05;

bool is_number_given(const clrs::Probe& probe) {
  return probe.stage == clrs::Stage::Input && probe.type == clrs::Type::Scalar &&
         probe.name != "pos";
}

std::pair<double, double> range_in(const clrs::Sample& sample, const clrs::Probe& probe) {
  const auto series = sample.series(probe.name);
  const auto values = series.frame<double>(0);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {*low, *high};
}

/// In the words of the input file.
std::string words_for(std::string_view probe) {
  return probe == "A" ? "weights of edges" : fmt::format("numbers of '{}'", probe);
}

}  // namespace

TrainingRange::TrainingRange(const TrainOptions& options) {
  const auto& algorithm = clrs::find_algorithm(options.algorithm);
  auto split = clrs::official_split(algorithm, clrs::Split::Train);
  split.samples = kSamples;
  const auto longest =
      options.train_sizes.empty() ? split.length : *std::ranges::max_element(options.train_sizes);
  nodes_ = algorithm.nodes(longest);
  for (const auto& sample : clrs::generate(algorithm, split, /*threads=*/1).samples) {
    for (const auto& probe : algorithm.spec()) {
      if (!is_number_given(probe)) continue;
      const auto [low, high] = range_in(sample, probe);
      const auto [at, is_new] = numbers_.try_emplace(std::string(probe.name), Range{low, high});
      at->second = {std::min(at->second.low, low), std::max(at->second.high, high)};
    }
  }
}

std::vector<std::string> TrainingRange::outside(const clrs::Sample& sample) const {
  std::vector<std::string> sentences;
  if (sample.nodes() > kManyTimes * nodes_)
    sentences.push_back(fmt::format("it has {} nodes, and the model was trained on at most {}",
                                    sample.nodes(), nodes_));
  for (const auto& probe : sample.spec()) {
    const auto seen = numbers_.find(std::string(probe.name));
    if (!is_number_given(probe) || seen == numbers_.end()) continue;
    const auto [low, high] = range_in(sample, probe);
    const auto& range = seen->second;
    const double slack = kSlack * (range.high - range.low);
    if (low >= range.low - slack && high <= range.high + slack) continue;
    sentences.push_back(fmt::format(
        "its {} go from {:.4g} to {:.4g}, and the model was trained on {:.2g} to {:.2g}",
        words_for(probe.name), low, high, range.low, range.high));
  }
  return sentences;
}

}  // namespace npq::train
