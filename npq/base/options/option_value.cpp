#include "npq/base/options/option_value.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "npq/base/error.h"
#include "npq/base/formats/json_text.h"

namespace npq {
namespace {

/// `text` as a whole, or nothing that `value` keeps.
template <class Number>
std::errc read_number(std::string_view text, Number& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Number read{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
  if (error != std::errc()) return error;
  if (end != text.data() + text.size()) return std::errc::invalid_argument;
  value = read;
  return {};
}

template <class Number>
void read_whole(std::string_view name, std::string_view text, Number& value) {
  const auto error = read_number(text, value);
  if (error == std::errc()) return;
  if (error == std::errc::result_out_of_range)
    throw UsageError("--{} is {}, which is out of range; expected a number up to {}", name, text,
                     std::numeric_limits<Number>::max());
  throw UsageError("--{} is '{}'; expected a whole number{}", name, text,
                   std::is_unsigned_v<Number> ? " from 0" : "");
}

}  // namespace

std::string_view name_of(OptionKind kind) {
  switch (kind) {
    case OptionKind::Switch:
      return "switch";
    case OptionKind::Whole:
      return "whole number";
    case OptionKind::Real:
      return "number";
    case OptionKind::Text:
      return "text";
    case OptionKind::List:
      return "list of whole numbers";
  }
  return {};
}

std::string option_text(bool value) { return value ? "true" : "false"; }
std::string option_text(std::int64_t value) { return std::to_string(value); }
std::string option_text(std::uint64_t value) { return std::to_string(value); }
std::string option_text(double value) { return fmt::format("{}", value); }
std::string option_text(const std::string& value) { return value; }
std::string option_text(const std::vector<int>& value) {
  std::string text;
  for (const int one : value) text += (text.empty() ? "" : ",") + std::to_string(one);
  return text;
}

void read_option(std::string_view name, std::string_view text, bool& value) {
  if (text == "true" || text == "on" || text == "1")
    value = true;
  else if (text == "false" || text == "off" || text == "0")
    value = false;
  else
    throw UsageError("--{} is '{}'; expected true or false", name, text);
}

void read_option(std::string_view name, std::string_view text, std::int64_t& value) {
  read_whole(name, text, value);
}
void read_option(std::string_view name, std::string_view text, std::uint64_t& value) {
  read_whole(name, text, value);
}

void read_option(std::string_view name, std::string_view text, double& value) {
  double read = 0;
  const auto error = read_number(text, read);
  if (error == std::errc::result_out_of_range || (error == std::errc() && !std::isfinite(read)))
    throw UsageError("--{} is {}, which is out of range; expected a finite number", name, text);
  if (error != std::errc()) throw UsageError("--{} is '{}'; expected a number", name, text);
  value = read;
}

void read_option(std::string_view, std::string_view text, std::string& value) { value = text; }

void read_option(std::string_view name, std::string_view text, std::vector<int>& value) {
  std::vector<int> numbers;
  for (std::string_view rest = text; !rest.empty();) {
    const auto comma = std::min(rest.find(','), rest.size());
    int number = 0;
    if (read_number(rest.substr(0, comma), number) != std::errc() || comma + 1 == rest.size())
      throw UsageError("--{} is '{}'; expected whole numbers separated by commas", name, text);
    numbers.push_back(number);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  value = std::move(numbers);
}

nlohmann::json option_json(OptionKind kind, const std::string& text) {
  if (kind == OptionKind::Text) return text;
  return parse_json(kind == OptionKind::List ? '[' + text + ']' : text, "an option");
}

std::string option_text(std::string_view name, const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean() || value.is_number()) return value.dump();
  std::string text;
  if (value.is_array()) {
    for (const auto& one : value) {
      if (!one.is_number() && !one.is_string())
        throw UsageError("--{} is {}; expected a list of numbers", name, value.dump());
      text += (text.empty() ? "" : ",") + (one.is_string() ? one.get<std::string>() : one.dump());
    }
    return text;
  }
  throw UsageError("--{} is {}; expected a value", name, value.is_null() ? "null" : "an object");
}

bool Range::holds(double value) const {
  return (without_least ? value > least : value >= least) &&
         (without_most ? value < most : value <= most);
}

std::string Range::words() const {
  const bool low = least != -kNoLimit, high = most != kNoLimit;
  if (low && high && !without_least && !without_most) return fmt::format("{} to {}", least, most);
  std::string words;
  if (low) words = fmt::format("{} {}", without_least ? "more than" : "at least", least);
  if (high)
    words +=
        fmt::format("{}{} {}", low ? " and " : "", without_most ? "less than" : "at most", most);
  return words;
}

void check_range(const std::string& name, const Range& range, double value,
                 const std::string& text) {
  if (!range.holds(value)) throw UsageError("--{} is {}; expected {}", name, text, range.words());
}

}  // namespace npq
