#include "app/option_flags.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

namespace npq::app {
namespace {

constexpr std::size_t kMostListed = 4;  // choices shown in --help; npq list shows longer lists

std::string help_of(const OptionText& option) {
  if (option.choices.empty() || option.choices.size() > kMostListed ||
      option.value.find('|') != std::string::npos)
    return option.help;
  return fmt::format("{}: {}", option.help, fmt::join(option.choices, ", "));
}

}  // namespace

void bind_option(CLI::App* command, const OptionText& option, const std::string& shown) {
  CLI::Option* flag = nullptr;
  if (option.kind == OptionKind::Switch) {
    // A switch that is on by default can only be turned off.
    const auto off = shown == "true" ? fmt::format(",!--no-{}", option.name) : "";
    flag = command->add_flag(fmt::format("--{}{}", option.name, off))->description(help_of(option));
  } else {
    flag = command->add_option(fmt::format("--{}", option.name))->description(help_of(option));
    flag->type_name(option.value)->default_str(shown);
  }
  flag->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  if (option.hidden)
    flag->group("");
  else if (!option.group.empty())
    flag->group(option.group);
}

void add_given(const CLI::App& command, const std::string& name, GivenOptions& given) {
  const auto* flag = command.get_option("--" + name);
  if (flag->count() > 0) given[name] = flag->results().back();
}

}  // namespace npq::app
