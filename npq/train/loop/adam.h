#pragma once
#include <cstdint>
#include <vector>

#include "npq/ops/parameter_store.h"
#include "npq/train/loop/adam_options.h"

namespace npq::train {

/// Adam as Optax computes it. After t updates with gradients g:
///   m <- b1 m + (1-b1) g,  v <- b2 v + (1-b2) g^2
///   p <- p - rate * (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + eps)
/// The parameters are changed in place, so that the layers which hold them see it.
class Adam {
 public:
  /// The moments of each parameter, in the order of the store, and the number of updates so far.
  struct State {
    std::int64_t updates = 0;
    std::vector<at::Tensor> m, v;
  };

  Adam(const ops::ParameterStore& store, AdamOptions options);

  /// One update with the gradients that backward() left; a parameter without one has gradient zero.
  /// Gradients longer than `limit`, all together, count as shortened to it; 0 means no limit.
  /// Returns their length before. Where that is not finite nothing is updated.
  double step(double limit = 0);

  /// Of the updates to come: what a schedule sets.
  void set_learning_rate(double rate) { options_.learning_rate = rate; }
  double learning_rate() const { return options_.learning_rate; }

  const State& state() const { return state_; }
  /// Goes on from a saved state, whose tensors are copied. Shapes that do not fit are an Error.
  void set_state(const State& state);

 private:
  double fused_step(double limit);
  double composed_step(double limit);

  ops::ParameterStore store_;
  AdamOptions options_;
  State state_;
};

/// The Euclidean length of all gradients together.
double global_norm(const ops::ParameterStore& store);

/// Scales all gradients by limit / norm if norm >= limit, so that their direction stays. Returns
/// the norm before. A limit of 0 means no limit.
double clip_by_global_norm(const ops::ParameterStore& store, double limit);

}  // namespace npq::train
