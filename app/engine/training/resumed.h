#pragma once
#include <string_view>
#include <vector>

#include "app/cli.h"

namespace npq::app {

/// A run goes on as it began; flags that would change it must not be ignored in silence. `allowed`
/// may be given beside --resume.
void check_resumed(const CLI::App& command, const std::vector<std::string_view>& allowed);

}  // namespace npq::app
