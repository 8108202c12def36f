#include "app/config_values.h"

#include <nlohmann/json.hpp>

#include "npq/base/error.h"
#include "npq/base/formats/json_text.h"

namespace npq::app {
namespace {

nlohmann::json parse_config(std::string_view text, const std::string& source) {
  try {
    return parse_json_object(text, source, {.advice = "expected what --print-config prints"});
  } catch (const Error& error) {
    throw UsageError("{}", error.what());
  }
}

std::string text_of(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

std::map<std::string, std::string> config_values(std::string_view text, const std::string& source) {
  const auto config = parse_config(text, source);
  std::map<std::string, std::string> values;
  for (const auto& [key, value] : config.items()) {
    if (value.is_null() || value.is_object() || (value.is_array() && value.empty())) continue;
    if (value.is_array() && value.front().is_object()) continue;  // "changes" of a resumed run
    auto& joined = values[key];
    if (!value.is_array()) joined = text_of(value);
    for (const auto& item : value.is_array() ? value : nlohmann::json::array())
      joined += (joined.empty() ? "" : ",") + text_of(item);
  }
  return values;
}

}  // namespace npq::app
