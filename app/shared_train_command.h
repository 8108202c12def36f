#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli.h"

// What npq train and npq peptides train have in common.
namespace npq::app {

/// One option for every choice that a memory leaves; those given are put into `given`, which must
/// live as long as the command.
void bind_memory_flags(CLI::App* command, std::map<std::string, std::string>& given);

/// A run goes on as it began; flags that would change it must not be ignored in silence. `allowed`
/// may be given beside --resume.
void check_resumed(const CLI::App& command, const std::vector<std::string_view>& allowed);

}  // namespace npq::app
