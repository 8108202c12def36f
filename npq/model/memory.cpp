#include "npq/model/memory.h"

#include <utility>

#include "npq/memory/factory.h"

namespace npq::model {

JoinedMemory joined_memory(const memory::MemoryOptions& options, std::int64_t hidden) {
  return {memory::make_memory(options, 2 * hidden, hidden), options.carry, options.join};
}

memory::CarriedState begin_memory(const JoinedMemory& joined, const TensorBatch& batch,
                                  std::int64_t calls, memory::Ablation ablation) {
  memory::MemoryBatch about{
      .batch = batch.size(), .nodes = batch.nodes(), .steps = calls, .dtype = batch.dtype()};
  const auto given = [&](const char* name) {
    const auto found = batch.inputs.find(name);
    return found == batch.inputs.end() ? at::Tensor() : found->second;
  };
  about.schedule_order = given("us_valid");
  about.schedule_children = given("us_pi");
  return {joined.carry, joined.memory->initial_state(about), ablation};
}

nn::MemoryMessages messages_of(const memory::MemoryStep& step, memory::Join join) {
  return {.rows = step.messages, .delivery = step.delivery, .join = join};
}

}  // namespace npq::model
