#include "app/shared_train_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "npq/base/error.h"
#include "npq/memory/flags.h"

namespace npq::app {

void bind_memory_flags(CLI::App* command, std::map<std::string, std::string>& given) {
  for (const auto& flag : memory::flags()) {
    std::string help(flag.help);
    if (!flag.choices.empty()) help += fmt::format(": {}", fmt::join(flag.choices, ", "));
    command
        ->add_option_function<std::string>(
            fmt::format("--{}", flag.name),
            [&given, name = std::string(flag.name)](const std::string& value) {
              given[name] = value;
            },
            help)
        ->type_name("X")
        ->group("Memory");
  }
}

void check_resumed(const CLI::App& command, const std::vector<std::string_view>& allowed) {
  constexpr std::string_view kAlways[] = {"resume", "help", "print-config"};
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
