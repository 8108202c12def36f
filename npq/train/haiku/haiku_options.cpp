// Which network a checkpoint belongs to, told from the names and shapes of its arrays.
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>
#include <set>

#include "npq/base/error.h"
#include "npq/base/printable.h"
#include "npq/clrs/catalog.h"
#include "npq/clrs/dataset/transforms.h"
#include "npq/memory/catalog.h"
#include "npq/train/haiku/haiku_names.h"

namespace npq::train {
namespace {

using Names = std::set<std::string>;
using nn::ProcessorFamily;

struct Probes {
  Names encoded, decoded;
};

Probes probes_of(const HaikuArrays& parameters) {
  static const std::regex layer(
      R"(net/~_construct_encoders_decoders/algo_(\d+)_(.+)_(enc|dec)_linear(_\d+)?)");
  Probes probes;
  for (const auto& [module, arrays] : parameters) {
    std::smatch match;
    if (!std::regex_match(module, match, layer)) continue;
    if (match[1] != "0")
      throw Error("it was trained on several algorithms; only those trained on one can be read");
    (match[3] == "enc" ? probes.encoded : probes.decoded).insert(match[2]);
  }
  if (probes.encoded.empty() || probes.decoded.empty())
    throw Error(
        "it has no encoders and decoders named as the benchmark names them "
        "('net/~_construct_encoders_decoders/algo_0_...'); it belongs to another program");
  return probes;
}

Names names(const clrs::Spec& spec, clrs::Stage stage) {
  Names all;
  for (const auto& probe : spec)
    if (probe.stage == stage) all.insert(probe.name);
  return all;
}

Names together(Names first, const Names& second) {
  first.insert(second.begin(), second.end());
  return first;
}

/// Sets hint mode and permutations if the checkpoint's probes are those of the algorithm.
bool fits(const clrs::Algorithm& algorithm, const Probes& probes, model::ModelOptions& options) {
  for (const bool enforce : {false, true}) {
    const auto base = clrs::pred_as_input(algorithm.spec());
    const auto spec = enforce ? clrs::enforce_permutations(base) : clrs::relax_permutations(base);
    const auto inputs = names(spec, clrs::Stage::Input), hints = names(spec, clrs::Stage::Hint),
               outputs = names(spec, clrs::Stage::Output);
    for (const auto mode :
         {model::HintMode::EncodedDecoded, model::HintMode::DecodedOnly, model::HintMode::None}) {
      options.hint_mode = mode;
      options.enforce_permutations = enforce;
      if (probes.encoded == (options.encodes_hints() ? together(inputs, hints) : inputs) &&
          probes.decoded == (options.decodes_hints() ? together(outputs, hints) : outputs))
        return true;
    }
  }
  return false;
}

void find_algorithm(const Probes& probes, const HaikuHints& hints, TrainOptions& options) {
  std::vector<std::string_view> fitting;
  for (const auto& algorithm : clrs::catalog()) {
    if (!hints.algorithm.empty() && algorithm.name != hints.algorithm) continue;
    auto model = options.model;
    if (!fits(algorithm, probes, model)) continue;
    fitting.push_back(algorithm.name);
    options.algorithm = algorithm.name;
    options.model = model;
  }
  if (fitting.empty())
    throw Error("it encodes {} and predicts {}, which are not the probes of {}",
                printable(fmt::format("{}", fmt::join(probes.encoded, ", ")), 200),
                printable(fmt::format("{}", fmt::join(probes.decoded, ", ")), 200),
                hints.algorithm.empty() ? "any of the 30 algorithms" : hints.algorithm);
  if (fitting.size() > 1)
    throw Error("its weights fit {}, which have the same probes; say which with --algorithm",
                fmt::join(fitting, " and "));
}

/// The length of a bias, 0 where there is none.
std::int64_t bias(const HaikuArrays& parameters, const std::string& module) {
  const auto layer = parameters.find(module);
  if (layer == parameters.end()) return 0;
  const auto found = layer->second.find("b");
  return found != layer->second.end() && found->second.shape.size() == 1 ? found->second.shape[0]
                                                                         : 0;
}

std::int64_t count_linear(const HaikuArrays& parameters, const std::string& module) {
  std::int64_t count = parameters.contains(module + "/linear");
  while (count > 0 && parameters.contains(fmt::format("{}/linear_{}", module, count))) ++count;
  return count;
}

std::string module_of(ProcessorFamily family) {
  TrainOptions options;
  options.model.processor.name = family == ProcessorFamily::Pgn   ? "mpnn"
                                 : family == ProcessorFamily::Gat ? "gat"
                                                                  : "gatv2";
  const auto layer = haiku_name("processor/ln.scale", options).module;
  return layer.substr(0, layer.rfind('/'));
}

ProcessorFamily family_of(const HaikuArrays& parameters) {
  for (const auto family : {ProcessorFamily::Pgn, ProcessorFamily::Gat, ProcessorFamily::Gatv2})
    if (parameters.contains(module_of(family) + "/linear")) return family;
  throw Error("it has no processor that is known here; expected arrays of '{}', '{}' or '{}'",
              module_of(ProcessorFamily::Pgn), module_of(ProcessorFamily::Gat),
              module_of(ProcessorFamily::Gatv2));
}

/// Takes what the user says if it is among the names that fit, else the one to assume.
std::string chosen(const std::string& kind, const std::string& said,
                   const std::vector<std::string>& fitting, const std::string& assumed,
                   HaikuGuess& guess) {
  if (!said.empty()) {
    if (std::find(fitting.begin(), fitting.end(), said) == fitting.end())
      throw Error("its weights are not those of {} '{}'; they fit {}", kind, said,
                  fmt::join(fitting, ", "));
    return said;
  }
  if (fitting.size() > 1)
    guess.assumed.push_back(
        fmt::format("the weights fit the {} {}; taken as {}, say otherwise with --{}", kind,
                    fmt::join(fitting, ", "), assumed, kind));
  return assumed;
}

void find_processor(const HaikuArrays& parameters, const HaikuHints& hints, HaikuGuess& guess) {
  const auto family = family_of(parameters);
  const auto module = module_of(family);
  const auto layers = count_linear(parameters, module);
  const bool triplets = layers == 14 || layers == 17, gated = layers == 9 || layers == 17;
  auto& processor = guess.options.model.processor;
  processor.layer_norm = parameters.contains(module + "/layer_norm");
  if (family == ProcessorFamily::Gat) processor.heads = bias(parameters, module + "/linear_2");
  if (family == ProcessorFamily::Gatv2) processor.heads = layers - 6;
  if (triplets) processor.triplet_fts = bias(parameters, module + "/linear_6");

  std::vector<std::string> fitting;
  std::string assumed;
  for (const auto& kind : nn::kProcessors) {
    const bool pgn = kind.family == ProcessorFamily::Pgn;
    if (kind.family != family || (pgn && (kind.triplets != triplets || kind.gated != gated)))
      continue;
    fitting.emplace_back(kind.name);
    // What the benchmark's users train most: mpnn, where all nodes talk, but gat on the given
    // graph.
    if (pgn == (kind.adjacency == nn::AdjacencyUse::Full)) assumed = kind.name;
  }
  processor.name = chosen("processor", hints.processor, fitting, assumed, guess);
}

void find_memory(const HaikuArrays& parameters, const HaikuHints& hints, HaikuGuess& guess) {
  const auto& processor = module_of(guess.options.model.processor.kind().family);
  constexpr std::string_view kEnding = "_clrs_memory_module/";
  bool any = false;
  for (const auto& [module, arrays] : parameters)
    any |= module.starts_with(processor) && module.find(kEnding) != std::string::npos;
  if (!any) {
    if (!hints.memory.empty() && hints.memory != "none")
      throw Error("it has no memory, but '{}' was asked for; leave --memory out", hints.memory);
    return;
  }
  std::vector<std::string> fitting;
  std::string assumed;
  for (const auto& row : memory::catalog()) {
    const bool queue = row.kind == memory::Kind::PriorityQueue;
    if ((!queue && row.kind != memory::Kind::Oracle) || row.name.ends_with("_plus")) continue;
    const auto module =
        fmt::format("{}/{}", processor, haiku_memory_module(memory::memory_options(row.name)));
    if (!parameters.contains(module + "/linear")) continue;
    fitting.emplace_back(row.name);
    const bool plain = row.queue.read == memory::PriorityQueueOptions::Read::Weighted &&
                       !row.queue.send_to_all &&
                       (row.queue.reader == memory::PriorityQueueOptions::Reader::Node ||
                        row.queue.pop == memory::PriorityQueueOptions::Pop::Keep);
    if (!queue || (plain && assumed.empty())) assumed = row.name;
  }
  if (fitting.empty()) throw Error("it has a memory that is not known here");
  auto& memory = guess.options.memory;
  // Trained as the published code computes, whatever the paper says.
  memory = memory::memory_options(chosen("memory", hints.memory, fitting, assumed, guess),
                                  memory::Preset::Reference);
  if (memory::find_row(memory.name).kind != memory::Kind::PriorityQueue) return;
  const auto width_of = [&](const char* layer) {
    return bias(parameters, haiku_name(fmt::format("memory/{}.b", layer), guess.options).module);
  };
  memory.queue.heads = width_of("a1");
  if (const auto width = width_of("v"); width != 2 * guess.options.model.hidden)
    memory.width = width;
}

}  // namespace

HaikuGuess options_of_haiku(const HaikuArrays& parameters, const HaikuHints& hints) {
  HaikuGuess guess;
  const auto probes = probes_of(parameters);
  find_algorithm(probes, hints, guess.options);
  guess.options.model.hidden =
      bias(parameters, fmt::format("net/~_construct_encoders_decoders/algo_0_{}_enc_linear",
                                   *probes.encoded.begin()));
  find_processor(parameters, hints, guess);
  find_memory(parameters, hints, guess);
  guess.options.validate();
  return guess;
}

}  // namespace npq::train
