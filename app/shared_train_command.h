#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli.h"
#include "app/option_flags.h"
#include "npq/memory/flags.h"

// What npq train and npq peptides train have in common.
namespace npq::app {

/// A run goes on as it began; flags that would change it must not be ignored in silence. `allowed`
/// may be given beside --resume.
void check_resumed(const CLI::App& command, const std::vector<std::string_view>& allowed);

/// The memory that was asked for. `make` gives a memory by its name and preset. Where --memory or
/// --preset stand on the command line, what the file said in their place does not count; a note
/// names it.
memory::MemoryOptions chosen_memory(
    const GivenOptions& given, const ConfigFile& file,
    const std::function<memory::MemoryOptions(std::string_view, memory::Preset)>& make,
    std::vector<std::string>& notes);

/// The options that were asked for, but for the memory's own.
template <class Options>
Options chosen_options(const OptionTable<Options>& table, const GivenOptions& given) {
  Options options;
  for (const auto& option : table)
    if (const auto found = given.find(option.name);
        found != given.end() && !memory::is_flag(option.name))
      table.set(options, option.name, found->second);
  return options;
}

}  // namespace npq::app
