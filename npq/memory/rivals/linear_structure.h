#pragma once
#include <vector>

#include "npq/memory/memory.h"
#include "npq/memory/options.h"

// What the neural stack, queue and deque share: a strip of slots (v_j in R^F, strength s_j), after
// Grefenstette et al. 2015, "Learning to Transduce with Unbounded Memory". One strip per node, or
// one per graph whose controls come from the mean over nodes. Like all memories here they are read
// before the step's pop and push (the original reads after).
namespace npq::memory {

/// The strips of a batch: R = B * N rows, or B with Scope::Graph.
struct Strip {
  at::Tensor v;  // [R, S, F]
  at::Tensor s;  // [R, S]
};

/// How much lies before slot j on the side one reads from: sum_{i<j} s_i, or sum_{i>j} s_i. `first`
/// is the slot that begins the order, for strips whose write position has gone round.
at::Tensor below(const at::Tensor& s, std::int64_t first = 0);
at::Tensor above(const at::Tensor& s, std::int64_t first = 0);

/// min(s_j, relu(1 - cover_j)): how much one reads of every slot, a unit in all, from the uncovered
/// side on. [R, S]
at::Tensor uncovered_unit(const at::Tensor& s, const at::Tensor& cover);

/// s_j <- relu(s_j - relu(u - cover_j)): takes u [R, 1] out, from the uncovered side on.
at::Tensor pop_strip(const at::Tensor& s, const at::Tensor& u, const at::Tensor& cover);

/// v [R, F] with strength d [R, 1], to be written over what a slot holds.
struct Push {
  std::int64_t slot;
  at::Tensor v, d;
};

/// What was read with each of K weights, and the strip after the pushes, one after the other.
struct Turn {
  at::Tensor read;  // [R, K * F]: sum_j weight_kj v_j
  Strip strip;
};
Turn read_and_push(const Strip& strip, const std::vector<at::Tensor>& weights,
                   const std::vector<Push>& pushes);

/// The controls of one end: d = sigmoid(Lin z), u = sigmoid(Lin z), v = tanh(Lin z), from the
/// layers memory/PREFIXpush, memory/PREFIXpop, memory/PREFIXv.
struct Controls {
  at::Tensor push, pop;  // d, u [R, 1]
  at::Tensor v;          // [R, F]
};
void declare_controls(ops::ParameterSpecs& specs, const std::string& prefix, std::int64_t z_width,
                      std::int64_t width);
Controls controls(const ops::ParameterStore& parameters, const std::string& prefix,
                  const at::Tensor& z, const MemoryState& state, Scope scope);

/// An empty strip per row: the entries v [B,N,S,F] and s [B,N,S], or without N, and step.
MemoryState empty_strips(const MemoryOptions& options, std::int64_t width,
                         const MemoryBatch& batch);
Strip strip_of(const MemoryState& state);
/// The state with a new strip, one step later.
MemoryState with_strip(const MemoryState& state, const Strip& strip);

/// What was read, [R, W], as one row per node: [B, N, W].
at::Tensor for_each_node(const at::Tensor& read, const at::Tensor& z);

MemoryHealth strip_health(const MemoryState& before, const MemoryState& after,
                          const at::Tensor& popped, const at::Tensor& written);

}  // namespace npq::memory
