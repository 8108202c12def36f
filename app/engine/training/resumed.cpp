#include "app/engine/training/resumed.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "npq/base/error.h"

namespace npq::app {

void check_resumed(const CLI::App& command, const std::vector<std::string>& allowed) {
  constexpr std::string_view kAlways[] = {"resume", "help", "print-config", "force"};
  for (const auto* option : command.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const auto& name = option->get_lnames().front();
    if (std::find(std::begin(kAlways), std::end(kAlways), name) != std::end(kAlways) ||
        std::find(allowed.begin(), allowed.end(), name) != allowed.end())
      continue;
    throw UsageError(
        "--resume goes on with the run's own options; leave out --{} (only --{} may be given)",
        name, fmt::join(allowed, ", --"));
  }
}

}  // namespace npq::app
