#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "npq/memory/options.h"
#include "npq/memory/state.h"
#include "npq/ops/linear.h"

// The framework: what every memory of a message-passing network is.              [NPQ, eq. 6-12]
//   z_i   = what node i knows at this step                                                 [eq. 6]
//   V_i   = f_pop(z_i, {z_k}, state)          read, before anything of this step is written [eq. 8]
//   R_i   = f_M(V_i)                          the message that joins node i's others        [eq. 9]
//   state = f_push(state, {z_k})              what was popped goes, then one write         [eq. 12]
// A memory never knows the processor, the processor never knows the memory: `model` joins them.
// Guarantees, held for every row of the catalog by tests/memory/contract_test.cpp: permuting the
// nodes permutes the messages and leaves the rest of the state; samples do not see each other;
// gradients are finite, empty or full; what a step writes reaches the next step.
namespace npq::memory {

/// Which batch a state is for. Only sizes, unless the memory replays a schedule.
struct MemoryBatch {
  std::int64_t batch = 0;             // B
  std::int64_t nodes = 0;             // N
  std::int64_t steps = 0;             // calls of step() to come: decides `--slots auto`
  at::ScalarType dtype = at::kFloat;  // of z
  at::Tensor node_mask = {};          // [B, N] bool; nothing: all nodes are real, none padding
  at::Tensor schedule_order = {};     // oracle: [B, K] I64, the node taken at step t, -1: none
  at::Tensor schedule_children = {};  // oracle: [B, N, N], 1 where u's step changes v's key
};

/// How a memory is doing, per graph [B], without gradient; undefined where it has no such thing.
struct MemoryHealth {
  at::Tensor alive;      // elements after the step
  at::Tensor strength;   // their strengths' sum
  at::Tensor drained;    // part of the strength before the step that the step took out
  at::Tensor saturated;  // share of this step's written numbers beyond +-0.999
};

/// What a step should tell beside its result.
enum class Watch { Nothing, Health, Everything };

struct MemoryStep {
  at::Tensor messages;  // [B, N, Mw]
  Delivery delivery = Delivery::Self;
  MemoryState next_state;
  MemoryHealth health = {};                                   // from Watch::Health on
  std::vector<std::pair<std::string, at::Tensor>> seen = {};  // Watch::Everything: attention, ...
};

class Memory {
 public:
  virtual ~Memory() = default;

  /// Names begin with "memory/".
  virtual ops::ParameterSpecs parameter_specs() const = 0;
  /// The state before the first step: empty, whatever the parameters are.
  virtual MemoryState initial_state(const MemoryBatch& batch) const = 0;
  /// One step for z [B, N, Z]. Nothing is changed in place.
  virtual MemoryStep step(const ops::ParameterStore& parameters, const at::Tensor& z,
                          const MemoryState& state, Watch watch = Watch::Nothing) const = 0;
  /// The linear layer f_M that makes the messages.
  virtual std::string message_layer() const { return "memory/m"; }
};

/// |x| > 0.999 in [B, ...], as a share per graph.
at::Tensor saturated_share(const at::Tensor& x);

}  // namespace npq::memory
