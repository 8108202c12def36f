#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "npq/train/network.h"

namespace npq::train {

/// What a batch cost the network.
struct BatchLoss {
  double total = 0;
  std::map<std::string, double> terms;  // by name: "output/pi", "hint/d"
};

/// Computes the loss of a training step and leaves its gradients in the network's parameters.
/// `seed` is that of the step's random numbers. The samples are computed in two halves side by
/// side, each on half the threads: what libtorch does on one thread then keeps two busy. Two on
/// every machine, so that the bits do not tell its threads.
BatchLoss compute_gradients(const Network& network, const model::TensorBatch& batch,
                            std::uint64_t seed);

}  // namespace npq::train
