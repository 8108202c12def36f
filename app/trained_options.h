#pragma once
#include <string>
#include <vector>

#include "app/cli.h"
#include "app/option_flags.h"
#include "npq/lrgb/train_options.h"
#include "npq/memory/flags.h"
#include "npq/train/options.h"

// From given options to those of a run: for the commands that train, and for experiments, which
// check what they plan. Each option must fit its table, and all of them together must be trainable.
namespace npq::app {

/// The given options, except the memory's own.
template <class Options>
Options chosen_options(const OptionTable<Options>& table, const GivenOptions& given) {
  Options options;
  for (const auto& option : table)
    if (const auto found = given.find(option.name);
        found != given.end() && !memory::is_flag(option.name))
      table.set(options, option.name, found->second);
  return options;
}

/// `notes`: which options of `file` do not count.
train::TrainOptions options_of_train(const GivenOptions& given, const ConfigFile& file,
                                     std::vector<std::string>& notes);
lrgb::TrainOptions options_of_peptides_train(const GivenOptions& given, const ConfigFile& file,
                                             std::vector<std::string>& notes);

}  // namespace npq::app
