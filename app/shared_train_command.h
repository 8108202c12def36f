#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli.h"
#include "npq/memory/catalog.h"

// What npq train and npq peptides train have in common.
namespace npq::app {

/// One option for every choice that a memory leaves; those given are put into `given`, which must
/// live as long as the command.
void bind_memory_flags(CLI::App* command, std::map<std::string, std::string>& given);

/// A run goes on as it began; flags that would change it must not be ignored in silence. `allowed`
/// may be given beside --resume.
void check_resumed(const CLI::App& command, const std::vector<std::string_view>& allowed);

/// What the command line and a --config file say of the memory.
struct MemoryFlags {
  std::string memory = "none", preset = "paper";
  std::map<std::string, std::string> given;  // the memory's own flags, only those that were given
};

/// The memory they ask for. `make` gives a memory by its name and preset. Where --memory or
/// --preset stand on the command line, what the file said in their place does not count; a note
/// names it.
memory::MemoryOptions chosen_memory(
    const MemoryFlags& flags, const ConfigFile& file,
    const std::function<memory::MemoryOptions(std::string_view, memory::Preset)>& make,
    std::vector<std::string>& notes);

}  // namespace npq::app
