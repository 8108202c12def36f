#pragma once
#include <nlohmann/json.hpp>

#include "npq/base/options/option_table.h"

// Options as the JSON object of config.json, and back.
namespace npq {

/// Keys that a run adds to its configuration and that are not options.
inline constexpr std::string_view kAboutTheRun[] = {"about", "changes"};

template <class Options>
nlohmann::json config_json(const OptionTable<Options>& table, const Options& options) {
  auto config = nlohmann::json::object();
  for (const auto& option : table) {
    if (!table.fits(option, options)) continue;
    const auto text = option.text(options);
    if (option.added_later && text == option.before) continue;  // as if it were an earlier run
    config[option.name] =
        option.kept_as_text ? nlohmann::json(text) : option_json(option.kind, text);
  }
  return config;
}

/// Sets `options` from `config`, row by row in the order of the table. A missing or unknown
/// option and a wrong value are UsageErrors; only options that were added later may be missing.
template <class Options>
void read_config(const OptionTable<Options>& table, const nlohmann::json& config,
                 Options& options) {
  for (const auto& [key, unused] : config.items())
    if (std::ranges::count(kAboutTheRun, key) == 0) table.row(key);
  for (const auto& option : table) {
    const auto found = config.find(option.name);
    if (!table.fits(option, options)) {
      if (found != config.end()) throw UsageError("{}", option.unfitting(options));
    } else if (found != config.end()) {
      table.set(options, option.name, option_text(option.name, *found));
    } else if (!option.added_later) {
      throw UsageError("--{} is missing", option.name);
    } else if (!option.before.empty()) {
      table.set(options, option.name, option.before);
    }
  }
}

/// The options of the run whose config.json this is. What cannot be is an Error that names
/// `source`.
template <class Options>
Options options_of_run(const OptionTable<Options>& table, const nlohmann::json& config,
                       const std::string& source) {
  Options options;
  try {
    read_config(table, config, options);
    options.validate();
  } catch (const UsageError& error) {
    throw Error("'{}' holds options that cannot be: {}", source, error.what());
  }
  return options;
}

}  // namespace npq
