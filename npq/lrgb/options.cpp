#include "npq/lrgb/options.h"

namespace npq::lrgb {

const OptionTable<ModelOptions>& model_option_table() {
  using O = ModelOptions;
  static const OptionTable<O> table{{
      choice_option<O>("processor", "message passing", kBases, NPQ_FIELD(base)),
      choice_option<O>("layer",
                       "plain: the baseline; full: the same with the memory's message inside; ref: "
                       "the published memory layer (default: full with a memory, else plain)",
                       kLayers, NPQ_FIELD(layer)),
      plain_option<O>("layers", "rounds of messages", "K", NPQ_FIELD(layers))
          .in(from_to(1, O::kMostLayers)),
      plain_option<O>("hidden", "width; 0: 300 for gcn, 208 for the others", "D", NPQ_FIELD(hidden))
          .in(at_least(0)),
      plain_option<O>("memory-width", "what the memory sees and says of a node", "Z",
                      NPQ_FIELD(memory_width))
          .in(at_least(1)),
  }};
  return table;
}

void ModelOptions::validate() const {
  model_option_table().check(*this);
  memory.validate_for("peptides");
  if (memory.join != memory::Join::PreMlp)
    throw UsageError("--join has no meaning for peptides: --layer says where the message joins");
  if (layer == Layer::Plain && has_memory())
    throw UsageError(
        "--layer plain is the baseline, which has no memory, but --memory is '{}'; use --layer "
        "full (the same layer with the memory's message inside) or ref (as published)",
        memory.name);
}

memory::MemoryOptions peptide_memory(std::string_view name, memory::Preset preset) {
  auto options = memory::memory_options(name, preset);
  const auto kind = memory::find_row(options.name).kind;
  options.carry = memory::Carry::All;
  if (memory::has_slots(kind)) options.slots = 8;
  if (kind != memory::Kind::PriorityQueue) return options;
  options.queue.heads = 8;
  if (preset == memory::Preset::Reference)
    options.queue.write_slot = memory::PriorityQueueOptions::WriteSlot::Rotate;
  return options;
}

}  // namespace npq::lrgb
