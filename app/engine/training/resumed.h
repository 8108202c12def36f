#pragma once
#include <string_view>
#include <vector>

#include "app/cli.h"

namespace npq::app {

/// A resumed run keeps its options; flags that would change them must not be ignored silently.
/// `allowed` may be given together with --resume.
void check_resumed(const CLI::App& command, const std::vector<std::string_view>& allowed);

}  // namespace npq::app
