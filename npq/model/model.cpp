#include "npq/model/model.h"

#include <iterator>
#include <utility>

#include "npq/base/error.h"

namespace npq::model {

using clrs::Probe;
using clrs::Stage;

namespace {

std::vector<Probe> of_stage(const clrs::Spec& spec, Stage stage) {
  std::vector<Probe> probes;
  for (const auto& probe : spec) {
    if (probe.stage == stage) probes.push_back(probe);
  }
  return probes;
}

/// Inputs first, then hints if they are fed in: the order of the channels.
std::vector<Probe> encoded(const clrs::Spec& spec, const ModelOptions& options) {
  auto probes = of_stage(spec, Stage::Input);
  if (options.encodes_hints()) {
    auto hints = of_stage(spec, Stage::Hint);
    std::move(hints.begin(), hints.end(), std::back_inserter(probes));
  }
  return probes;
}

std::vector<Probe> decoded(const clrs::Spec& spec, const ModelOptions& options) {
  std::vector<Probe> probes;
  for (const auto& probe : spec) {
    const bool hint = probe.stage == Stage::Hint && options.decodes_hints();
    if (hint || probe.stage == Stage::Output) probes.push_back(probe);
  }
  return probes;
}

/// Checked before any part looks for its parameters, so that the message is about what the user
/// chose.
const ops::ParameterStore& checked(const clrs::Spec& spec, const ModelOptions& options,
                                   const JoinedMemory& memory, const ops::ParameterStore& store) {
  ops::check_parameters(Model::parameters(spec, options, memory), store);
  return store;
}

}  // namespace

ops::ParameterSpecs Model::parameters(const clrs::Spec& spec, const ModelOptions& options,
                                      const JoinedMemory& memory) {
  options.validate();
  auto specs = nn::encoder_parameters(encoded(spec, options), options.hidden, options.encoder_init);
  const auto append = [&](ops::ParameterSpecs more) {
    std::move(more.begin(), more.end(), std::back_inserter(specs));
  };
  append(nn::processor_parameters(options.processor, options.hidden));
  if (memory.memory) append(memory.memory->parameter_specs());
  const auto edge_width = (options.processor.kind().triplets ? 2 : 1) * options.hidden;
  for (const auto& probe : decoded(spec, options)) {
    append(nn::decoder_parameters(probe, options.hidden, edge_width));
  }
  return specs;
}

Model::Model(clrs::Spec spec, ModelOptions options, const ops::ParameterStore& store,
             JoinedMemory memory)
    : spec_(std::move(spec)),
      options_(std::move(options)),
      encoded_inputs_(of_stage(spec_, Stage::Input)),
      encoded_hints_(options_.encodes_hints() ? of_stage(spec_, Stage::Hint) : clrs::Spec()),
      encoders_(encoded(spec_, options_), options_.hidden, checked(spec_, options_, memory, store)),
      processor_(nn::make_processor(options_.processor, store)),
      store_(store),
      memory_(std::move(memory)) {
  const bool masked = options_.processor.kind().masked_decoders;
  for (auto& probe : decoded(spec_, options_)) {
    auto& decoders = probe.stage == Stage::Hint ? hint_decoders_ : output_decoders_;
    decoders.emplace_back(probe, masked, store);
  }
}

}  // namespace npq::model
