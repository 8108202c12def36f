#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "npq/base/names.h"
#include "npq/nn/named_choice.h"

// config.json as a table of keys: how each option is written and how it is read back. Free of
// torch.
namespace npq::train {

template <class Options>
struct ConfigKey {
  const char* name;
  std::function<nlohmann::json(const Options&)> get;
  std::function<void(Options&, const nlohmann::json&)> set;
};

/// A number, a text or a list of them. `field` gives the member of a const Options&.
template <class Options, class Field>
ConfigKey<Options> plain_key(const char* name, Field field) {
  return {name, [field](const Options& options) { return nlohmann::json(field(options)); },
          [name, field](Options& options, const nlohmann::json& value) {
            using Value = std::remove_cvref_t<decltype(field(options))>;
            const auto read = value.get<Value>();
            // A fraction where a whole number belongs, or one that is too large, would be bent.
            const bool negative =
                value.is_number_integer() && !value.is_number_unsigned() && value < 0;
            if (nlohmann::json(read) != value || (std::is_unsigned_v<Value> && negative))
              throw UsageError("{} is {}; expected a value of its type", name, value.dump());
            const_cast<Value&>(field(std::as_const(options))) = read;
          }};
}

/// One of the names of a table.
template <class Options, class Choice, std::size_t size, class Field>
ConfigKey<Options> choice_key(const char* name, const nn::NamedChoice<Choice> (&table)[size],
                              Field field) {
  return {name,
          [&table, field](const Options& options) {
            return nlohmann::json(nn::name_of_choice(table, field(options)));
          },
          [name, &table, field](Options& options, const nlohmann::json& value) {
            const_cast<Choice&>(field(std::as_const(options))) =
                nn::choice_named(name, table, value.get<std::string>());
          }};
}

/// An Error for the first key of `config` that is not in `known`; "about" is no option.
inline void check_config_keys(const nlohmann::json& config, const nlohmann::json& known) {
  std::vector<std::string_view> names;
  for (const auto& [key, unused] : known.items()) names.push_back(key);
  for (const auto& [key, unused] : config.items())
    if (!known.contains(key) && key != "about") throw unknown_name("option", key, names);
}

}  // namespace npq::train
