#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "npq/lrgb/graphs.h"
#include "npq/lrgb/initial.h"
#include "npq/lrgb/node_values.h"
#include "npq/lrgb/norms.h"
#include "npq/memory/carried_state.h"
#include "npq/memory/memory.h"
#include "npq/ops/parameter_store.h"

namespace npq::lrgb {

/// What one layer saw and did, for tests and for the memory's health.
struct LayerTrace {
  at::Tensor x;                            // [n, D] after the layer
  at::Tensor z;                            // [n, Z]: what the memory was asked with
  at::Tensor read;                         // [n, Mw]: what it answered
  at::Tensor message;                      // [n, D]: what joined the layer
  std::vector<memory::MemoryStep> memory;  // the steps themselves, shelf by shelf
};

struct Prediction {
  at::Tensor targets;     // [graphs, 11]
  Statistics statistics;  // after this batch
  // With RunOptions::keep:
  at::Tensor encoded, last, pooled;  // [n, D], [n, D], [graphs, D]
  std::vector<LayerTrace> layers;
};

/// A network that predicts the 11 shape targets of molecules:
///   encode the atoms -> layers of messages, all asking one memory -> mean over nodes -> Lin
/// Layer k is step k of the memory:                                         [NPQ, eq. 6-12]
///   z_i = LeakyReLU(A x_i);  R_i, state = memory(z, state);  the message is B LeakyReLU(R_i)
/// In evaluation a prediction depends on its graph alone: not on the others of the batch, not on
/// the order of nodes.
class Model {
 public:
  /// What the network consists of and how it begins.
  static InitialSpecs parameters(const ModelOptions& options);

  Model(const ModelOptions& options, const ops::ParameterStore& parameters);

  /// As batch norm begins: mean 0, variance 1; empty where nothing is normalised.
  Statistics initial_statistics(at::ScalarType dtype) const;

  struct RunOptions {
    Mode mode = Mode::Train;
    memory::Watch watch = memory::Watch::Nothing;
    memory::Ablation ablation = memory::Ablation::None;
    bool keep = false;
  };
  Prediction run(const Graphs& graphs, const Statistics& statistics,
                 const RunOptions& options) const;

  const ModelOptions& options() const { return options_; }

 private:
  at::Tensor ask_memory(const Graphs& graphs, const std::string& layer, const NodeValues& x,
                        std::vector<memory::CarriedState>& states, const RunOptions& options,
                        LayerTrace& trace) const;

  ModelOptions options_;
  ops::ParameterStore parameters_;
  std::shared_ptr<const memory::Memory> memory_;  // null: none
};

/// mean |prediction - target| over graphs and targets.
at::Tensor l1_loss(const at::Tensor& predictions, const at::Tensor& targets);

}  // namespace npq::lrgb
