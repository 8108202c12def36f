#include "npq/train/haiku/haiku_import.h"

#include <ATen/ops/from_blob.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <set>

#include "npq/base/error.h"
#include "npq/base/printable.h"
#include "npq/model/model.h"
#include "npq/train/checkpoints/checkpoint.h"
#include "npq/train/task.h"

namespace npq::train {
namespace {

FloatArray take(HaikuArrays& arrays, const HaikuName& name, const ops::ParameterSpec& parameter) {
  const auto layer = arrays.find(name.module);
  if (layer == arrays.end() || !layer->second.contains(name.leaf))
    throw Error("'{} {}' is missing, which would be our '{}'", name.module, name.leaf,
                parameter.name);
  auto taken = layer->second.extract(name.leaf);
  if (layer->second.empty()) arrays.erase(layer);
  if (taken.mapped().shape != parameter.shape)
    throw Error("'{} {}' has shape [{}]; expected [{}]", name.module, name.leaf,
                fmt::join(taken.mapped().shape, ", "), fmt::join(parameter.shape, ", "));
  return std::move(taken.mapped());
}

void check_all_taken(const HaikuArrays& arrays) {
  if (!arrays.empty())
    throw Error("'{}' belongs to no part of the network that its other arrays describe",
                printable(arrays.begin()->first, 200));
}

HaikuCheckpoint convert(HaikuPickle pickle, const HaikuHints& hints) {
  auto guess = options_of_haiku(pickle.parameters, hints);
  HaikuCheckpoint result{.options = guess.options,
                         .assumed = guess.assumed,
                         .parameters = {},
                         .updates = pickle.adam ? pickle.adam->updates : 0,
                         .has_adam = pickle.adam.has_value()};
  const Task task(result.options);
  for (const auto& parameter :
       model::Model::parameters(task.spec(), result.options.model, result.options.memory)) {
    const auto name = haiku_name(parameter.name, result.options);
    HaikuCheckpoint::Entry entry{parameter.name, take(pickle.parameters, name, parameter), {}, {}};
    if (pickle.adam) {
      entry.m = take(pickle.adam->m, name, parameter);
      entry.v = take(pickle.adam->v, name, parameter);
    }
    result.parameters.push_back(std::move(entry));
  }
  check_all_taken(pickle.parameters);
  if (pickle.adam) {
    check_all_taken(pickle.adam->m);
    check_all_taken(pickle.adam->v);
  }
  return result;
}

at::Tensor tensor_of(const FloatArray& array) {
  return at::from_blob(const_cast<float*>(array.values.data()), array.shape, at::kFloat);
}

}  // namespace

HaikuCheckpoint read_haiku_checkpoint(const std::filesystem::path& path, const HaikuHints& hints) {
  auto pickle = read_haiku_pickle(path);
  try {
    return convert(std::move(pickle), hints);
  } catch (const Error& error) {
    throw Error("'{}' cannot be imported: {}", path.string(), error.what());
  }
}

void save_checkpoint(const std::filesystem::path& path, const HaikuCheckpoint& checkpoint) {
  NamedTensors tensors;
  for (const auto& entry : checkpoint.parameters)
    tensors.emplace_back(entry.name, tensor_of(entry.value));
  if (checkpoint.has_adam) {
    for (const auto& entry : checkpoint.parameters) {
      tensors.emplace_back("adam/m/" + entry.name, tensor_of(entry.m));
      tensors.emplace_back("adam/v/" + entry.name, tensor_of(entry.v));
    }
  }
  const auto last = std::max<std::int64_t>(0, checkpoint.updates - 1);
  save_tensors(path, tensors,
               {{"config", to_json(checkpoint.options).dump()},
                {"step", std::to_string(last)},
                {"updates", std::to_string(checkpoint.updates)}});
}

}  // namespace npq::train
