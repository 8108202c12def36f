#include "npq/train/scoring/bootstrap.h"

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

}  // namespace npq::train
