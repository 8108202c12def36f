#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "npq/model/losses.h"
#include "npq/train/loop/parts.h"
#include "npq/train/network.h"
#include "npq/train/ranks/ranks.h"

namespace npq::train {

/// What a batch cost the network.
struct BatchLoss {
  double total = 0;
  std::map<std::string, double> terms;  // by name: "output/pi", "hint/d"
};

/// Computes the loss of a training step and leaves its gradients in the network's parameters.
/// `seed` is that of the step's random numbers. The parts of the batch (parts.h) are computed side
/// by side: what libtorch does on one thread then keeps several busy. Each rank computes its share
/// of them, and all get the same sum.
BatchLoss compute_gradients(const Network& network, const model::TensorBatch& batch,
                            std::uint64_t seed, Ranks& ranks);
/// Alone.
BatchLoss compute_gradients(const Network& network, const model::TensorBatch& batch,
                            std::uint64_t seed);

/// One part alone: its samples forward and backward, on the threads of the caller. `weights` are
/// model::loss_weights of the whole batch.
PartSums compute_part(const Network& network, const model::TensorBatch& batch,
                      const model::LossWeights& weights, const Part& part, std::uint64_t seed);

/// Leaves the sums of all parts in the network's parameters.
BatchLoss take_gradients(const Network& network, PartSums whole);

}  // namespace npq::train
