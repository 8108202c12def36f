#include "npq/clrs/samplers/json_fields.h"

#include <algorithm>
#include <cmath>

#include "npq/base/names.h"
#include "npq/base/printable.h"
#include "npq/clrs/samplers/inputs_json.h"

namespace npq::clrs {
namespace {

std::string shown(const nlohmann::json& value) {
  return printable(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), 40);
}

}  // namespace

JsonFields::JsonFields(const Algorithm& algorithm, const nlohmann::json& json,
                       const std::string& source)
    : algorithm_(&algorithm), json_(&json), source_(source) {
  if (!json.is_object())
    fail("it holds {}; expected an object such as {}", json.type_name(), input_format(algorithm));
}

bool JsonFields::has(const std::string& name) {
  asked_.push_back(name);
  return json_->contains(name);
}

const nlohmann::json& JsonFields::get(const std::string& name) {
  if (!has(name))
    fail("'{}' is missing; {} needs an input such as {}", name, algorithm_->name,
         input_format(*algorithm_));
  return json_->at(name);
}

double JsonFields::number_at(const nlohmann::json& value, const std::string& place) const {
  if (!value.is_number()) fail("{} is {}; expected a number", place, shown(value));
  const double number = value.get<double>();
  if (!std::isfinite(number)) fail("{} is {}; expected a finite number", place, number);
  if (std::abs(number) > kLargestNumberOfAnInput)
    fail("{} is {}; expected a number between {} and {}", place, number, -kLargestNumberOfAnInput,
         kLargestNumberOfAnInput);
  return number;
}

std::int64_t JsonFields::integer_at(const nlohmann::json& value, const std::string& place,
                                    std::int64_t least, std::int64_t most) const {
  // 2.0 is refused too: it may be a mistake. Unsigned numbers may not
  // fit a signed one.
  const bool fits = value.is_number_integer() &&
                    (!value.is_number_unsigned() ||
                     value.get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX));
  const auto number = fits ? value.get<std::int64_t>() : 0;
  if (!fits || number < least || number > most)
    fail("{} is {}; expected a whole number from {} to {}", place, shown(value), least, most);
  return number;
}

double JsonFields::number(const std::string& name) {
  return number_at(get(name), "'" + name + "'");
}

std::vector<double> JsonFields::numbers(const std::string& name) {
  const auto& list = get(name);
  if (!list.is_array()) fail("'{}' is {}; expected a list of numbers", name, shown(list));
  if (list.size() > kMostNodesOfAnInput + 1) check_length(name, list.size());
  std::vector<double> numbers;
  for (std::size_t i = 0; i < list.size(); ++i)
    numbers.push_back(number_at(list[i], fmt::format("{}[{}]", name, i)));
  return numbers;
}

std::int64_t JsonFields::integer(const std::string& name, std::int64_t least, std::int64_t most) {
  return integer_at(get(name), "'" + name + "'", least, most);
}

bool JsonFields::flag(const std::string& name) {
  const auto& value = get(name);
  if (!value.is_boolean()) fail("'{}' is {}; expected true or false", name, shown(value));
  return value.get<bool>();
}

std::vector<std::uint8_t> JsonFields::letters(const std::string& name) {
  const auto& value = get(name);
  if (!value.is_string()) fail("'{}' is {}; expected a text", name, shown(value));
  const auto& text = value.get_ref<const std::string&>();
  if (text.empty()) fail("'{}' is empty; expected one letter or more", name);
  std::vector<std::uint8_t> letters;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] < 'A' || text[i] > 'D')
      fail("'{}' has '{}' at position {}; expected the letters A, B, C and D", name,
           printable(text.substr(i, 1)), i);
    letters.push_back(static_cast<std::uint8_t>(text[i] - 'A'));
  }
  return letters;
}

void JsonFields::check_length(const std::string& name, std::size_t length) const {
  const auto least = static_cast<std::size_t>(algorithm_->minimum_length);
  if (length < least)
    fail("'{}' has {} entries; {} needs at least {}", name, length, algorithm_->name, least);
  if (length > kMostNodesOfAnInput)
    fail("'{}' has {} entries; at most {} are possible", name, length, kMostNodesOfAnInput);
}

void JsonFields::check_same_length(const std::string& first, std::size_t length,
                                   const std::string& second, std::size_t other) const {
  if (length != other)
    fail("'{}' has {} entries but '{}' has {}; expected as many", first, length, second, other);
}

void JsonFields::done() const {
  for (const auto& [name, value] : json_->items()) {
    if (std::find(asked_.begin(), asked_.end(), name) != asked_.end()) continue;
    const std::vector<std::string_view> known(asked_.begin(), asked_.end());
    const auto near = nearest_name(name, known);
    fail("'{}' is not a field of {}{}; expected {}", printable(name), algorithm_->name,
         near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), input_format(*algorithm_));
  }
}

}  // namespace npq::clrs
