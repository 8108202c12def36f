#pragma once
#include <string>

#include "app/cli.h"
#include "npq/base/options/option_table.h"

// The flags of a command that has a table of options, which declares them.
namespace npq::app {

/// One flag for a row of a table. `shown`: its default in --help, empty for none.
void bind_option(CLI::App* command, const OptionText& option, const std::string& shown);

template <class Options>
void bind_options(CLI::App* command, const OptionTable<Options>& table) {
  const Options defaults;
  for (const auto& option : table)
    bind_option(command, option, table.fits(option, defaults) ? option.text(defaults) : "");
}

/// Adds the text given to the flag of that name, if there is one.
void add_given(const CLI::App& command, const std::string& name, GivenOptions& given);

template <class Options>
GivenOptions given_options(const CLI::App& command, const OptionTable<Options>& table) {
  GivenOptions given;
  for (const auto& option : table) add_given(command, option.name, given);
  return given;
}

}  // namespace npq::app
