#pragma once
#include <cmath>
#include <concepts>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "npq/base/error.h"
#include "npq/base/printable.h"

// JSON values as C++ values, exactly: the library itself would bend 1.5 to 1 and 2^32 to 0.
namespace npq {

namespace json_value {

template <class Value>
struct Kind;  // the words for a type, and how it is read

template <>
struct Kind<bool> {
  static std::string words() { return "true or false"; }
  static std::optional<bool> read(const nlohmann::json& value) {
    return value.is_boolean() ? std::optional(value.get<bool>()) : std::nullopt;
  }
};

template <>
struct Kind<std::string> {
  static std::string words() { return "a text"; }
  static std::optional<std::string> read(const nlohmann::json& value) {
    return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
  }
};

template <std::integral Whole>
struct Kind<Whole> {
  static std::string words() {
    return std::is_unsigned_v<Whole> ? "a whole number from 0" : "a whole number in range";
  }
  static std::optional<Whole> read(const nlohmann::json& value) {
    if (!value.is_number_integer()) return std::nullopt;
    const bool fits = value.is_number_unsigned() ? std::in_range<Whole>(value.get<std::uint64_t>())
                                                 : std::in_range<Whole>(value.get<std::int64_t>());
    return fits ? std::optional(value.get<Whole>()) : std::nullopt;
  }
};

template <std::floating_point Real>
struct Kind<Real> {
  static std::string words() { return "a number"; }
  static std::optional<Real> read(const nlohmann::json& value) {
    return value.is_number() ? std::optional(value.get<Real>()) : std::nullopt;
  }
};

template <class Item>
struct Kind<std::vector<Item>> {
  static std::string words() { return "a list, each entry " + Kind<Item>::words(); }
  static std::optional<std::vector<Item>> read(const nlohmann::json& value) {
    if (!value.is_array()) return std::nullopt;
    std::vector<Item> items;
    for (const auto& one : value) {
      auto item = Kind<Item>::read(one);
      if (!item) return std::nullopt;
      items.push_back(std::move(*item));
    }
    return items;
  }
};

template <class Item>
struct Kind<std::map<std::string, Item>> {
  static std::string words() { return "an object, each member " + Kind<Item>::words(); }
  static std::optional<std::map<std::string, Item>> read(const nlohmann::json& value) {
    if (!value.is_object()) return std::nullopt;
    std::map<std::string, Item> items;
    for (const auto& [key, one] : value.items()) {
      auto item = Kind<Item>::read(one);
      if (!item) return std::nullopt;
      items.emplace(key, std::move(*item));
    }
    return items;
  }
};

}  // namespace json_value

/// The value as JSON for one line of a message.
inline std::string json_shown(const nlohmann::json& value) {
  return printable(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

/// `value` as a Value; an Error if it is none. `name` is what it is called in the message.
template <class Value>
Value json_as(const nlohmann::json& value, const std::string& name) {
  auto read = json_value::Kind<Value>::read(value);
  if (!read)
    throw Error("{} is {}; expected {}", name, json_shown(value), json_value::Kind<Value>::words());
  return std::move(*read);
}

/// The member of an object; an Error if it is missing.
inline const nlohmann::json& json_member(const nlohmann::json& object, const std::string& key) {
  const auto found = object.find(key);
  if (found == object.end()) throw Error("'{}' is missing", key);
  return *found;
}

/// The member as a Value; an Error if it is missing or something else.
template <class Value>
Value json_member(const nlohmann::json& object, const std::string& key) {
  return json_as<Value>(json_member(object, key), "'" + key + "'");
}

/// The member as a Value, or `otherwise` where it is missing.
template <class Value>
Value json_member_or(const nlohmann::json& object, const std::string& key, Value otherwise) {
  return object.contains(key) ? json_member<Value>(object, key) : std::move(otherwise);
}

}  // namespace npq
