#pragma once
#include <cstdint>

#include "npq/train/checkpoints/checkpoint.h"

namespace npq::train {

/// The exponential mean of weights over updates. Behind update t, counted from 0:
///   mean <- d mean + (1 - d) weights,   d = min(decay, (1 + t) / (10 + t))
/// d grows, so that the mean soon forgets the weights that the run began with. A run's last weights
/// jump about with every batch; their mean does not. The statistics of batch norm are averaged like
/// the parameters that they belong to.
class Average {
 public:
  /// Begins with a copy of these. A decay of 0 means that there is no mean: it stays empty.
  Average(const NamedTensors& weights, double decay);

  bool is_kept() const { return decay_ > 0; }
  const NamedTensors& mean() const { return mean_; }

  /// The weights are those behind update `step`. One thread, in place: the same bits for any number
  /// of threads.
  void add(const NamedTensors& weights, std::int64_t step);

  /// Goes on from a saved mean, whose tensors are copied.
  void set_mean(const NamedTensors& mean);

 private:
  double decay_;
  NamedTensors mean_;
};

}  // namespace npq::train
