#include "npq/memory/options.h"

#include <algorithm>

#include "npq/base/error.h"
#include "npq/memory/catalog.h"
#include "npq/memory/flags.h"

namespace npq::memory {

void MemoryOptions::validate() const {
  const Row& row = find_row(name);
  if (slots && *slots < 1)
    throw UsageError("--slots is {}; expected 'auto' or at least 1 slot", *slots);
  if (row.kind == Kind::Deque && slots && *slots < 2)
    throw UsageError("--slots is {}; a deque writes at two ends and needs at least 2 slots",
                     *slots);
  flags().check(*this);
  if (row.kind != Kind::PriorityQueue && queue != PriorityQueueOptions{})
    throw UsageError(
        "memory '{}' is not a priority queue and has none of its choices; leave the queue's flags "
        "out "
        "or choose an npq memory",
        name);
}

void MemoryOptions::validate_for(const std::string& algorithm) const {
  validate();
  if (find_row(name).kind == Kind::Oracle && algorithm != "dijkstra")
    throw UsageError(
        "memory 'oracle' replays Dijkstra's priority queue and cannot serve algorithm '{}'; use it "
        "with --algorithm dijkstra or choose another --memory",
        algorithm);
}

std::int64_t MemoryOptions::slots_for(std::int64_t steps) const {
  if (slots) return *slots;
  // A deque writes twice a step: with one slot per step its ends would meet halfway.
  const bool deque = find_row(name).kind == Kind::Deque;
  return std::clamp<std::int64_t>(deque ? 2 * steps : steps, deque ? 2 : 1, kMostAutomaticSlots);
}

}  // namespace npq::memory
