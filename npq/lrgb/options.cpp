#include "npq/lrgb/options.h"

namespace npq::lrgb {

void ModelOptions::validate() const {
  memory.validate_for("peptides");
  if (memory.join != memory::Join::PreMlp)
    throw UsageError("--join has no meaning for peptides: --layer says where the message joins");
  if (layers < 1) throw UsageError("--layers is {}; expected at least 1", layers);
  if (hidden < 0)
    throw UsageError("--hidden is {}; expected at least 1, or 0 for the published width", hidden);
  if (memory_width < 1) throw UsageError("--memory-width is {}; expected at least 1", memory_width);
  if (layer == Layer::Plain && has_memory())
    throw UsageError(
        "--layer plain is the baseline, which has no memory, but --memory is '{}'; use --layer "
        "full "
        "(the same layer with the memory's message inside) or ref (as published)",
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
