#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "npq/memory/catalog.h"
#include "npq/model/model.h"
#include "npq/train/haiku/haiku_import.h"
#include "npq/train/task.h"
#include "tests/support/pickle_writer.h"

// Checkpoints of the benchmark for the tests of their import: the golden one, and made-up ones of
// any network.
namespace npq::train {

inline const std::filesystem::path kPickle = NPQ_TESTS_DIR "/golden/model/haiku_checkpoint.pkl";

/// A checkpoint as the reference would save it for these options: every array filled with its
/// place in the list.
inline HaikuArrays arrays_for(const TrainOptions& options) {
  HaikuArrays arrays;
  float next = 0;
  const Task task(options);
  for (const auto& parameter :
       model::Model::parameters(task.spec(), options.model, options.memory)) {
    const auto [module, leaf] = haiku_name(parameter.name, options);
    arrays[module][leaf] = {parameter.shape, std::vector<float>(parameter.elements(), next++)};
  }
  return arrays;
}

inline std::string pickle_of(const HaikuArrays& arrays, bool jax = false) {
  test::PickleWriter out;
  out.begin_dict().text("params").begin_dict();
  for (const auto& [module, leaves] : arrays) {
    out.text(module).begin_dict();
    for (const auto& [leaf, array] : leaves)
      (jax ? out.text(leaf).jax_array(array.shape, array.values)
           : out.text(leaf).array(array.shape, array.values));
    out.end_dict();
  }
  return out.end_dict().end_dict().finish();
}

inline TrainOptions options_for(const std::string& algorithm, const std::string& processor,
                                const std::string& memory = "none") {
  TrainOptions options;
  options.algorithm = algorithm;
  options.model.hidden = 8;
  options.model.processor.name = processor;
  if (processor.starts_with("gat")) options.model.processor.heads = 2;
  options.memory = memory::memory_options(memory, memory::Preset::Reference);
  return options;
}

}  // namespace npq::train
