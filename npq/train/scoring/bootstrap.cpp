#include "npq/train/scoring/bootstrap.h"

#include <algorithm>
#include <cmath>

#include "npq/base/error.h"
#include "npq/random/random_state.h"

namespace npq::train {

std::vector<std::vector<std::int64_t>> draw_resamples(std::int64_t samples, int count,
                                                      std::uint32_t seed) {
  random::RandomState random(seed);
  std::vector<std::vector<std::int64_t>> resamples(count);
  for (auto& resample : resamples)
    resample = random.randint(0, samples, static_cast<std::size_t>(samples));
  return resamples;
}

double percentile(std::vector<double> values, double share) {
  NPQ_ASSERT(!values.empty());
  std::sort(values.begin(), values.end());
  const double rank = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(rank));
  const auto above = std::min(below + 1, values.size() - 1);
  return values[below] + (rank - std::floor(rank)) * (values[above] - values[below]);
}

}  // namespace npq::train
