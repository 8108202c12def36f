#pragma once
#include <nlohmann/json.hpp>

#include "npq/base/options/option_table.h"

// A struct of options as the JSON object that config.json is, and back.
namespace npq {

/// What a run adds about itself to its configuration; no options.
inline constexpr std::string_view kAboutTheRun[] = {"about", "changes"};

template <class Options>
nlohmann::json config_json(const OptionTable<Options>& table, const Options& options) {
  auto config = nlohmann::json::object();
  for (const auto& option : table) {
    if (!table.fits(option, options)) continue;
    const auto text = option.text(options);
    if (option.added_later && text.empty()) continue;  // as if the run were an earlier one
    config[option.name] =
        option.kept_as_text ? nlohmann::json(text) : option_json(option.kind, text);
  }
  return config;
}

/// Sets `options` from `config`, row by row in the order of the table. An option that is missing or
/// unknown and a value that cannot be are UsageErrors; only what was added later may be missing.
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
    }
  }
}

}  // namespace npq
