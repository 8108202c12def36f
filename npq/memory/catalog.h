#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "npq/memory/options.h"

// The table of all memories. Free of torch, so that names can be listed and checked at once;
// factory.h makes the memory of a row.
namespace npq::memory {

enum class Kind {
  None,
  PriorityQueue,
  Stack,
  Queue,
  Deque,
  Lstm,
  Gru,
  VirtualNode,
  Ntm,
  Oracle,
  Constant,
  GlobalMean,
};

struct Row {
  std::string_view name;
  std::string_view title;  // the paper's name where it has one
  Kind kind;
  PriorityQueueOptions queue = {};  // the choices that make an npq row
};

std::span<const Row> catalog();
std::vector<std::string_view> memory_names();

/// By name, also in the paper's spelling ("NPQ_W-P-SV"); an unknown one is a UsageError that lists
/// the known names and the nearest.
const Row& find_row(std::string_view name);

/// Whether the memory has slots at all.
bool has_slots(Kind kind);

/// Whether it remembers anything: the controls send messages and keep nothing.
bool has_state(Kind kind);

/// Paper: the equations as written. Reference: as the authors' published program computes.
enum class Preset { Paper, Reference };
Preset preset_named(std::string_view name);

/// A row with all its choices set. Reference exists for the queues and the oracle (and changes
/// nothing for none); the rivals are ours and were never published.
MemoryOptions memory_options(std::string_view name, Preset preset = Preset::Paper);

}  // namespace npq::memory
