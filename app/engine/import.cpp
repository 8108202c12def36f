// npq import haiku: weights of the public benchmark.
#include <fmt/format.h>

#include "app/engine/engine.h"
#include "npq/clrs/catalog.h"
#include "npq/memory/catalog.h"
#include "npq/train/haiku/haiku_import.h"

namespace npq::app {

int run_import_haiku(const ImportCommand& command) {
  // Mistyped names are an error of the call, not of the file.
  if (!command.algorithm.empty()) clrs::find_algorithm(command.algorithm);
  if (!command.processor.empty()) nn::find_processor(command.processor);
  if (!command.memory.empty()) memory::find_row(command.memory);
  const auto checkpoint = train::read_haiku_checkpoint(
      command.file, {command.algorithm, command.processor, command.memory});
  train::save_checkpoint(command.out, checkpoint);
  std::size_t numbers = 0;
  for (const auto& entry : checkpoint.parameters) numbers += entry.value.values.size();
  const auto& options = checkpoint.options;
  fmt::print(
      "{}: {}, {}, memory {}, hidden size {}, {} parameters{}\n", command.out, options.algorithm,
      options.model.processor.name, options.memory.name, options.model.hidden, numbers,
      checkpoint.has_adam ? fmt::format(", Adam's state after {} updates", checkpoint.updates)
                          : "");
  for (const auto& assumption : checkpoint.assumed) fmt::print("note: {}\n", assumption);
  return 0;
}

}  // namespace npq::app
