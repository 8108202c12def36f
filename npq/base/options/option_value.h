#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// How the values of options are written as text, and read back. A text of the wrong kind is a
// UsageError that names the option.
namespace npq {

enum class OptionKind { Switch, Whole, Real, Text, List };
std::string_view name_of(OptionKind kind);

std::string option_text(bool value);  // "true", "false"
std::string option_text(std::int64_t value);
std::string option_text(std::uint64_t value);
std::string option_text(double value);  // the shortest text that reads back as the same number
std::string option_text(const std::string& value);
std::string option_text(const std::vector<int>& value);  // "4,7,11"

void read_option(std::string_view name, std::string_view text, bool& value);
void read_option(std::string_view name, std::string_view text, std::int64_t& value);
void read_option(std::string_view name, std::string_view text, std::uint64_t& value);
void read_option(std::string_view name, std::string_view text, double& value);
void read_option(std::string_view name, std::string_view text, std::string& value);
void read_option(std::string_view name, std::string_view text, std::vector<int>& value);

template <class Value>
constexpr OptionKind option_kind() {
  if constexpr (std::is_same_v<Value, bool>) return OptionKind::Switch;
  if constexpr (std::is_integral_v<Value>) return OptionKind::Whole;
  if constexpr (std::is_floating_point_v<Value>) return OptionKind::Real;
  if constexpr (std::is_same_v<Value, std::vector<int>>) return OptionKind::List;
  return OptionKind::Text;
}

/// The same value as JSON, and a JSON value as the text that an option reads.
nlohmann::json option_json(OptionKind kind, const std::string& text);
std::string option_text(std::string_view name, const nlohmann::json& value);

/// The numbers that an option takes.
struct Range {
  double least = -kNoLimit, most = kNoLimit;
  bool without_least = false, without_most = false;

  bool holds(double value) const;
  std::string words() const;  // "at least 0 and less than 1"; empty: any number

  constexpr Range below(double limit) const {
    return {.least = least, .most = limit, .without_least = without_least, .without_most = true};
  }
  static constexpr double kNoLimit = 1e300;
};
constexpr Range at_least(double least) { return {.least = least}; }
constexpr Range more_than(double least) { return {.least = least, .without_least = true}; }
constexpr Range from_to(double least, double most) { return {.least = least, .most = most}; }

/// A UsageError unless the range contains `value`, shown as `text` in the message.
void check_range(const std::string& name, const Range& range, double value,
                 const std::string& text);

}  // namespace npq
