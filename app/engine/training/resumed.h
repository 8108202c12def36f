#pragma once
#include <string_view>
#include <vector>

#include "app/cli.h"
#include "app/option_flags.h"

namespace npq::app {

/// A run goes on as it began; flags that would change it must not be ignored in silence. `allowed`
/// may be given beside --resume.
void check_resumed(const CLI::App& command, const std::vector<std::string>& allowed);

/// What a run that is resumed is to do in another way: of `given` what `table` marks as changeable.
/// Anything else beside it is a UsageError, but for the flags `beside`.
template <class Options>
GivenOptions changes_of(const CLI::App& command, const GivenOptions& given,
                        const OptionTable<Options>& table, const std::vector<std::string>& beside) {
  auto allowed = table.changeable();
  GivenOptions changes;
  for (const auto& name : allowed)
    if (const auto found = given.find(name); found != given.end()) changes.insert(*found);
  allowed.insert(allowed.end(), beside.begin(), beside.end());
  check_resumed(command, allowed);
  Options checked;  // what cannot be is said before the run is looked at
  table.change(checked, changes);
  return changes;
}

}  // namespace npq::app
