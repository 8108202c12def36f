#include "npq/train/network.h"

#include <algorithm>

namespace npq::train {

Network::Network(const TrainOptions& options)
    : task(options),
      store(ops::initialise(model::Model::parameters(task.spec(), options.model, options.memory),
                            options.seed, at::kFloat)),
      model(task.spec(), options.model, options.memory, store) {}

Predictions predict(const Network& network, std::span<const clrs::Sample> samples,
                    std::int64_t batch_size, bool keep, const clrs::Progress& progress) {
  Predictions result{.scores = model::Scores(network.task.spec()), .batches = {}};
  const auto total = static_cast<std::int64_t>(samples.size());
  for (std::int64_t begin = 0; begin < total; begin += batch_size) {
    std::vector<const clrs::Sample*> chosen;
    for (std::int64_t k = begin; k < std::min(total, begin + batch_size); ++k)
      chosen.push_back(&samples[k]);
    const auto batch = network.task.batch(chosen, Task::Hints::First);
    auto evaluated = model::evaluate(network.model, batch);
    result.scores.add(evaluated.hard, batch.outputs);
    if (keep) result.batches.push_back(std::move(evaluated));
    if (progress) progress(std::min(total, begin + batch_size), total);
  }
  return result;
}

}  // namespace npq::train
