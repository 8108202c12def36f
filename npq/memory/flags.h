#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "npq/memory/options.h"

// The choices of a memory as texts: flags of the command line, lines of a saved configuration.
// Free of torch.
namespace npq::memory {

struct Flag {
  std::string_view name;  // "slot-write", without dashes
  std::string_view help;
  std::vector<std::string_view> choices;  // empty: a number
};

/// Every flag of every memory, in the order of the help page.
std::span<const Flag> flags();

/// Sets one choice. A flag that the memory has no use for, a value that is no choice and a number
/// out of range are UsageErrors.
void set_flag(MemoryOptions& options, std::string_view flag, std::string_view value);

/// All flags that options.name has, with their values; set_flag() takes them back.
std::vector<std::pair<std::string, std::string>> flag_values(const MemoryOptions& options);

}  // namespace npq::memory
