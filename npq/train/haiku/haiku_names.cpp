#include "npq/train/haiku/haiku_names.h"

#include <algorithm>

#include "npq/base/error.h"
#include "npq/memory/catalog.h"

namespace npq::train {
namespace {

using nn::ProcessorFamily;

std::string aggregation(ProcessorFamily family) {
  switch (family) {
    case ProcessorFamily::Pgn:
      return "mpnn_aggr";
    case ProcessorFamily::Gat:
      return "gat_aggr";
    case ProcessorFamily::Gatv2:
      return "gatv2_aggr";
  }
  NPQ_ASSERT(!"every family has a name");
}

/// The linear layers of a processor in the order in which the reference makes them.
std::vector<std::string> processor_layers(const nn::ProcessorOptions& options) {
  const auto& kind = options.kind();
  std::vector<std::string> layers;
  switch (kind.family) {
    case ProcessorFamily::Pgn:
      layers = {"m1", "m2", "me", "mg", "o1", "o2"};
      if (kind.triplets)
        layers.insert(layers.end(), {"t1", "t2", "t3", "te1", "te2", "te3", "tg", "o3"});
      if (kind.gated) layers.insert(layers.end(), {"g1", "g2", "g3"});
      return layers;
    case ProcessorFamily::Gat:
      return {"m", "skip", "a1", "a2", "ae", "ag"};
    case ProcessorFamily::Gatv2:
      layers = {"m", "skip", "w1", "w2", "we", "wg"};
      for (std::int64_t k = 0; k < options.heads; ++k) layers.push_back(fmt::format("ah{}", k));
      return layers;
  }
  NPQ_ASSERT(!"every family has layers");
}

std::vector<std::string> memory_layers(const memory::MemoryOptions& options) {
  if (memory::find_row(options.name).kind == memory::Kind::Oracle) return {"o", "q", "p"};
  if (options.queue.pop == memory::PriorityQueueOptions::Pop::Keep)
    return {"v", "m", "a1", "a2", "a"};
  return {"s_push", "s_pop", "v", "m", "a1", "a2", "a"};
}

std::string numbered(const std::string& name, std::ptrdiff_t index) {
  return index == 0 ? name : fmt::format("{}_{}", name, index);
}

std::string numbered_layer(const std::vector<std::string>& layers, const std::string& layer) {
  const auto found = std::find(layers.begin(), layers.end(), layer);
  NPQ_ASSERT(found != layers.end());
  return numbered("linear", found - layers.begin());
}

std::string processor_module(const TrainOptions& options) {
  return fmt::format("net/{}_clrs_processor", aggregation(options.model.processor.kind().family));
}

}  // namespace

std::string haiku_memory_module(const memory::MemoryOptions& options) {
  const auto& queue = options.queue;
  std::string kind = "neural_priority_queue_v2";
  if (memory::find_row(options.name).kind == memory::Kind::Oracle)
    kind = "pq_hardcoded";
  else if (queue.pop == memory::PriorityQueueOptions::Pop::Keep)
    kind = queue.reader == memory::PriorityQueueOptions::Reader::Graph ? "neural_priority_queue_v1"
                                                                       : "neural_priority_queue";
  return kind + "_clrs_memory_module";
}

HaikuName haiku_name(const std::string& parameter, const TrainOptions& options) {
  const auto slash = parameter.find('/'), dot = parameter.rfind('.');
  const auto part = parameter.substr(0, slash), leaf = parameter.substr(dot + 1);
  const auto layer = parameter.substr(slash + 1, dot - slash - 1);
  if (part == "encoder" || part == "decoder") {
    const auto second = layer.rfind('.');
    const auto base = fmt::format("net/~_construct_encoders_decoders/algo_0_{}_{}_linear",
                                  layer.substr(0, second), part == "encoder" ? "enc" : "dec");
    return {numbered(base, std::stol(layer.substr(second + 1))), leaf};
  }
  const auto module = processor_module(options);
  if (part == "memory")
    return {fmt::format("{}/{}/{}", module, haiku_memory_module(options.memory),
                        numbered_layer(memory_layers(options.memory), layer)),
            leaf};
  NPQ_ASSERT(part == "processor");
  if (layer == "ln") return {module + "/layer_norm", leaf};
  if (layer == "mlp0" || layer == "mlp1")
    return {fmt::format("{}/mlp/~/linear_{}", module, layer.back()), leaf};
  return {fmt::format("{}/{}", module,
                      numbered_layer(processor_layers(options.model.processor), layer)),
          leaf};
}

}  // namespace npq::train
