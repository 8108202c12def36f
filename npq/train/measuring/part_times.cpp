#include "npq/train/measuring/part_times.h"

#include <algorithm>
#include <numeric>

#include "npq/base/error.h"
#include "npq/ops/stream.h"
#include "npq/train/loop/adam.h"
#include "npq/train/loop/gradients.h"
#include "npq/train/loop/training_data.h"

namespace npq::train {
namespace {

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

double PartTimes::seconds() const { return std::accumulate(parts.begin(), parts.end(), rest); }

PartTimes time_parts(const TrainOptions& options, int repeats, Clock clock) {
  constexpr int kWarmUp = 2;
  const Network network(options);
  TrainingData data(network.task, options);
  Adam adam(network.store, options.adam);
  const auto parts = parts_of(options.batch);
  std::vector<std::vector<double>> seconds(parts.size());
  std::vector<double> rest;
  for (int k = 0; k < kWarmUp + repeats; ++k) {
    const auto batch = data.next();
    const auto seed = ops::derive_seed(options.seed, "step", static_cast<std::uint64_t>(k));
    const auto weights = model::loss_weights(network.task.spec(), batch);
    std::vector<PartSums> sums(parts.size());
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const double own = seconds_of(
          clock, [&] { sums[p] = compute_part(network, batch, weights, parts[p], seed); });
      if (k >= kWarmUp) seconds[p].push_back(own);
    }
    const double once = seconds_of(clock, [&] {
      model::loss_weights(network.task.spec(), batch);
      take_gradients(network, sum_of_parts(std::move(sums)));
      adam.step(options.clip);
    });
    if (k >= kWarmUp) rest.push_back(once);
  }
  PartTimes times{.parts = {}, .rest = median_of(rest)};
  for (const auto& own : seconds) times.parts.push_back(median_of(own));
  return times;
}

double seconds_on(const PartTimes& times, int threads) {
  NPQ_ASSERT(threads > 0);
  std::vector<double> busy(static_cast<std::size_t>(threads));
  for (const double part : times.parts) *std::min_element(busy.begin(), busy.end()) += part;
  return *std::max_element(busy.begin(), busy.end()) + times.rest;
}

}  // namespace npq::train
