#pragma once
#include <map>
#include <string>
#include <vector>

#include "npq/model/batch.h"
#include "npq/train/network.h"

namespace npq::train {

/// How a network's memory is doing on a batch, as means over steps and samples:
///   alive      elements after a step
///   strength   the sum of their strengths
///   drained    part of the strength that a step took out, over the steps that had any
///   saturated  share of the written numbers beyond +-0.999
/// What a memory does not have is left out; without a memory there is nothing.
std::map<std::string, double> memory_health(const Network& network,
                                            const model::TensorBatch& batch);

/// The same of steps that were watched elsewhere.
std::map<std::string, double> mean_health(const std::vector<memory::MemoryHealth>& steps);

}  // namespace npq::train
