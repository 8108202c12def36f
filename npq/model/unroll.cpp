#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "npq/base/error.h"
#include "npq/model/model.h"
#include "npq/model/output_collector.h"
#include "npq/nn/decoders/postprocess.h"
#include "npq/nn/decoders/sinkhorn.h"

namespace npq::model {

struct Model::Pass {
  const TensorBatch& batch;
  bool training;
  bool decodes_hints;  // they are used, by the next step or the caller
  memory::Watch watch;
  memory::Ablation ablation;
  std::int64_t nodes;
  at::ScalarType dtype;
  nn::Channels inputs;
  nn::Encoders::Weights encode;
  ops::Stream teacher, dropout, permutation;  // each consumer has its own random numbers
};

namespace {

/// [B] bool, true with probability p, one draw per sample.
at::Tensor coins(std::int64_t batch, double p, ops::Stream& stream) {
  auto drawn = at::empty({batch}, at::kBool);
  bool* values = drawn.data_ptr<bool>();
  for (std::int64_t b = 0; b < batch; ++b) values[b] = stream.uniform() < p;
  return drawn;
}

/// Zero with probability p, else enlarged so that the mean stays.
at::Tensor dropped_out(const at::Tensor& x, double p, ops::Stream& stream) {
  auto keep = at::empty(x.sizes(), at::kDouble);
  double* factors = keep.data_ptr<double>();
  for (std::int64_t i = 0; i < keep.numel(); ++i) {
    factors[i] = stream.uniform() < p ? 0 : 1 / (1 - p);
  }
  return x * keep.to(x.scalar_type());
}

}  // namespace

Unrolled Model::unroll(const TensorBatch& batch, const UnrollOptions& options) const {
  check_batch(spec_, batch, options.mode == UnrollOptions::Mode::Evaluate);
  const auto needed = std::max<std::int64_t>(1, batch.longest() - 1);
  const auto steps = options.steps.value_or(needed);
  if (steps < needed) {
    throw UsageError("{} steps were asked for, but the longest sample needs {}", steps, needed);
  }
  auto pass = begin(batch, options);
  auto state = initial_state(pass, steps);
  OutputCollector collector(batch.lengths, [&](nn::DecoderInput input) {
    input.prepare(output_decoders_);
    auto* noise = pass.training ? &pass.permutation : nullptr;
    nn::TensorMap outputs;
    for (const auto& decoder : output_decoders_)
      outputs[decoder.probe().name] = decoder(input, noise);
    return outputs;
  });
  // Where nothing but the outputs counts, a sample leaves the batch once its own is decided; not
  // where another graph reads its memory.
  const bool only_outputs = options.mode == UnrollOptions::Mode::Evaluate && !options.keep_hints &&
                            !options.keep_steps && options.watch == memory::Watch::Nothing &&
                            options.ablation != memory::Ablation::Shuffle;
  std::map<std::string, std::vector<at::Tensor>> hints;
  Unrolled result;
  for (std::int64_t i = 0; i < steps; ++i) {
    auto step = this->step(pass, i, state);
    collector.collect(i, step.decoder_input);
    if (options.keep_hints) {
      for (const auto& [name, logits] : step.next.hints) hints[name].push_back(logits);
    }
    state = step.next;
    if (state.memory && options.watch != memory::Watch::Nothing) {
      result.health.push_back(step.remembered.health);
    }
    if (options.keep_steps) result.steps.push_back(std::move(step));
    if (!only_outputs) continue;
    collector.decode_collected();
    if (const auto staying = collector.drop_collected()) {
      if (staying->numel() == 0) break;
      state = state.select(*staying);
      pass.inputs = pass.inputs.select(*staying);
    }
  }
  result.outputs = collector.finish();
  for (const auto& [name, logits] : hints) result.hints[name] = at::stack(logits, 0);
  return result;
}

UnrollState UnrollState::select(const at::Tensor& samples) const {
  UnrollState chosen{.hidden = hidden.index_select(0, samples), .hints = {}, .memory = {}};
  for (const auto& [name, logits] : hints) chosen.hints[name] = logits.index_select(0, samples);
  if (memory) chosen.memory = memory->select(samples);
  return chosen;
}

Model::Pass Model::begin(const TensorBatch& batch, const UnrollOptions& options) const {
  const auto nodes = batch.nodes();
  const auto dtype = batch.dtype();
  return {.batch = batch,
          .training = options.mode == UnrollOptions::Mode::Train,
          .decodes_hints = options_.encodes_hints() || options.keep_hints,
          .watch = options.watch,
          .ablation = options.ablation,
          .nodes = nodes,
          .dtype = dtype,
          .inputs = nn::channels_of(encoded_inputs_, batch.inputs, nodes, dtype),
          .encode = encoders_.stacked(),
          .teacher = ops::Stream(ops::derive_seed(options.seed, "teacher")),
          .dropout = ops::Stream(ops::derive_seed(options.seed, "dropout")),
          .permutation = ops::Stream(ops::derive_seed(options.seed, "permutation"))};
}

UnrollState Model::initial_state(const Pass& pass, std::int64_t steps) const {
  return {.hidden = at::zeros({pass.batch.size(), pass.nodes, options_.hidden}, pass.dtype),
          .hints = {},
          .memory = memory_.memory
                        ? std::optional(begin_memory(memory_, pass.batch,
                                                     steps * options_.message_steps, pass.ablation))
                        : std::nullopt};
}

UnrollStep Model::step(Pass& pass, std::int64_t i, const UnrollState& state) const {
  auto channels = pass.inputs;
  if (!encoded_hints_.empty()) {
    const auto hints = hint_inputs(pass, i, state.hints);
    channels = channels.with(encoded_hints_, hints);
  }
  const auto features = pass.encode(channels);

  UnrollStep step{.next = {.hidden = state.hidden, .hints = {}, .memory = state.memory},
                  .decoder_input = {.node = {},
                                    .edge = features.edge,
                                    .triplets = {},
                                    .graph = features.graph,
                                    .adjacency = features.adjacency},
                  .remembered = {}};
  process(pass, i, features, step);
  step.decoder_input.node = features.node.beside({state.hidden, step.next.hidden});
  if (!pass.decodes_hints) return step;
  step.decoder_input.prepare(hint_decoders_);
  auto* noise = pass.training ? &pass.permutation : nullptr;
  for (const auto& decoder : hint_decoders_) {
    step.next.hints[decoder.probe().name] = decoder(step.decoder_input, noise);
  }
  return step;
}

nn::TensorMap Model::hint_inputs(Pass& pass, std::int64_t i,
                                 const nn::TensorMap& predictions) const {
  const bool hard = options_.repred_mode == RepredMode::Hard ||
                    (options_.repred_mode == RepredMode::HardOnEval && !pass.training);
  const bool forcing = pass.training && options_.teacher_forcing > 0 && i > 0;
  const auto forced =
      forcing ? coins(pass.batch.size(), options_.teacher_forcing, pass.teacher) : at::Tensor();
  nn::TensorMap values;
  for (const auto& probe : encoded_hints_) {
    const auto truth = [&] {
      const auto& hint = nn::find_value(pass.batch.hints, probe);
      // Steps behind the data's end have no truth; nor do they count, so the last will do.
      return nn::as_rows(probe, hint.select(0, std::min(i, hint.size(0) - 1)), pass.nodes,
                         pass.dtype);
    };
    if (i == 0) {
      values[probe.name] = truth();
      continue;
    }
    const auto& logits = predictions.at(probe.name);
    const auto own = nn::as_rows(probe,
                                 hard ? nn::hard_value(probe, logits, nn::kSinkhornHintSteps)
                                      : nn::soft_value(probe, logits, nn::kSinkhornHintSteps),
                                 pass.nodes, pass.dtype);
    if (!forcing) {
      values[probe.name] = own;
      continue;
    }
    auto coin = forced;
    while (coin.dim() < own.dim()) coin = coin.unsqueeze(-1);
    values[probe.name] = at::where(coin, truth(), own);
  }
  return values;
}

void Model::process(Pass& pass, std::int64_t i, const nn::Features& features,
                    UnrollStep& step) const {
  auto& hidden = step.next.hidden;
  auto& memory = step.next.memory;
  if (memory) memory->begin_step(i);
  for (std::int64_t k = 0; k < options_.message_steps; ++k) {
    std::optional<nn::MemoryMessages> messages;
    if (memory) {
      step.remembered =
          memory->step(*memory_.memory, store_, features.node.beside({hidden}).all(), pass.watch);
      messages = messages_of(step.remembered, memory_.join);
    }
    const auto processed = processor_->process(features, hidden, messages);
    hidden = processed.hidden;
    step.decoder_input.triplets = processed.triplets;
  }
  if (pass.training && options_.dropout > 0) {
    hidden = dropped_out(hidden, options_.dropout, pass.dropout);
  }
}

}  // namespace npq::model
