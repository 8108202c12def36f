#include "npq/train/network.h"

namespace npq::train {

Network::Network(const TrainOptions& options)
    : task(options),
      store(ops::initialise(model::Model::parameters(task.spec(), options.model, options.memory),
                            options.seed, at::kFloat)),
      model(task.spec(), options.model, options.memory, store) {}

}  // namespace npq::train
