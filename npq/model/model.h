#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "npq/model/batch.h"
#include "npq/model/memory.h"
#include "npq/model/options.h"
#include "npq/nn/decoders/decoder.h"
#include "npq/nn/encoders/encoders.h"
#include "npq/nn/processors/processor.h"

namespace npq::model {

/// What one step hands to the next.
struct UnrollState {
  at::Tensor hidden;                           // [B, N, H]
  nn::TensorMap hints;                         // logits of the last step; none before the first
  std::optional<memory::CarriedState> memory;  // its states so far; nothing without a memory

  /// Only these samples, in this order.
  UnrollState select(const at::Tensor& samples) const;
};

/// One step, with what it computed on the way.
struct UnrollStep {
  UnrollState next;
  nn::DecoderInput decoder_input;
  memory::MemoryStep remembered;  // the memory's last step, its messages undefined without one
};

struct UnrollOptions {
  enum class Mode { Train, Evaluate };

  Mode mode = Mode::Train;
  /// Training: the seed of dropout, teacher forcing and permutation noise; a new one for each
  /// update.
  std::uint64_t seed = 0;
  /// Processor steps; by default just enough for the longest sample. More change neither loss nor
  /// output.
  std::optional<std::int64_t> steps;
  bool keep_hints = true;                        // hand back the hint predictions of all steps
  bool keep_steps = false;                       // hand back every step: for tests and pictures
  memory::Watch watch = memory::Watch::Nothing;  // what the memory tells beside its messages
  memory::Ablation ablation = memory::Ablation::None;
};

struct Unrolled {
  nn::TensorMap outputs;  // logits at each sample's last step, [B, ...]
  nn::TensorMap hints;    // logits of each step, [K, B, ...]: a prediction of the next true hint
  std::vector<UnrollStep> steps;             // if asked for
  std::vector<memory::MemoryHealth> health;  // of the memory after each step, from Watch::Health on
};

/// Encode, process, decode, over and over: the benchmark's network for one algorithm. Parameters
/// are shared with the store given, so training the store trains the model; the model itself never
/// changes.
class Model {
 public:
  /// `spec` is the algorithm's after the transformations of its data: what the network encodes and
  /// predicts.
  Model(clrs::Spec spec, ModelOptions options, const ops::ParameterStore& store,
        JoinedMemory memory = {});
  /// The same with a memory of the catalog.
  Model(clrs::Spec spec, ModelOptions options, const memory::MemoryOptions& memory,
        const ops::ParameterStore& store)
      : Model(std::move(spec), options, store, joined_memory(memory, options.hidden)) {}

  /// All parameters, in the order encoders, processor, memory, decoders.
  static ops::ParameterSpecs parameters(const clrs::Spec& spec, const ModelOptions& options,
                                        const JoinedMemory& memory = {});
  static ops::ParameterSpecs parameters(const clrs::Spec& spec, const ModelOptions& options,
                                        const memory::MemoryOptions& memory) {
    return parameters(spec, options, joined_memory(memory, options.hidden));
  }

  const clrs::Spec& spec() const { return spec_; }
  const ModelOptions& options() const { return options_; }

  /// Runs max(1, longest - 1) steps. The output of a sample of length T is decoded at step max(0,
  /// T-2) alone; an evaluation that keeps nothing else goes on without the sample from there.
  Unrolled unroll(const TensorBatch& batch, const UnrollOptions& options = {}) const;

 private:
  struct Pass;  // what stays the same over the steps of one unroll

  Pass begin(const TensorBatch& batch, const UnrollOptions& options) const;
  UnrollState initial_state(const Pass& pass, std::int64_t steps) const;
  UnrollStep step(Pass& pass, std::int64_t i, const UnrollState& state) const;
  nn::TensorMap hint_inputs(Pass& pass, std::int64_t i, const nn::TensorMap& predictions) const;
  void process(Pass& pass, std::int64_t i, const nn::Features& features, UnrollStep& step) const;

  clrs::Spec spec_;
  ModelOptions options_;
  std::vector<clrs::Probe> encoded_inputs_, encoded_hints_;
  nn::Encoders encoders_;
  std::unique_ptr<nn::Processor> processor_;
  std::vector<nn::Decoder> hint_decoders_, output_decoders_;
  ops::ParameterStore store_;  // for the memory, which is handed its parameters at each step
  JoinedMemory memory_;
};

}  // namespace npq::model
