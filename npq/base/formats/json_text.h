#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

// The one place where JSON is parsed; tests/architecture holds all others to it. JSON comes from
// outside, so it may be torn, huge or hostile: a deep one would exhaust the stack of whoever
// compares or prints it, and the library's own words for an error help nobody.
namespace npq {

struct JsonOptions {
  std::uint64_t bytes = 1'000'000;
  int depth = 32;             // lists and objects inside each other
  std::string skip = "";      // members of this name are passed over and take no memory
  bool unique_names = false;  // JSON allows equal names, and readers differ in which one they take
  std::string advice = "";    // what to do, for the end of messages
};

/// The value that `text` holds. `source` names the text in messages: "'config.json'", "line 3 of
/// 'metrics.jsonl'". An Error with line and column where it is malformed, nested too deep, too long
/// or has a number that no double holds.
nlohmann::json parse_json(std::string_view text, const std::string& source,
                          const JsonOptions& options = {});
/// The same; a value that is no object is an Error too.
nlohmann::json parse_json_object(std::string_view text, const std::string& source,
                                 const JsonOptions& options = {});
/// The same, with the keys in the order of the text.
nlohmann::ordered_json parse_ordered_object(std::string_view text, const std::string& source,
                                            const JsonOptions& options = {});
/// The value, or null where parse_json would throw.
nlohmann::json json_or_null(std::string_view text, const JsonOptions& options = {});

/// What the library says about a value that is not what was asked for, without the name of its
/// exception. For the last catch of a program: readers say it better.
std::string json_reason(const std::string& what);

}  // namespace npq
