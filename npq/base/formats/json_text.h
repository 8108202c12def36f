#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

// The only place where JSON is parsed; tests/architecture checks this. JSON comes from
// outside, so it may be incomplete, huge or hostile: a deep one would exhaust the stack when it is
// compared or printed. The library's own error messages do not help users.
namespace npq {

struct JsonOptions {
  std::uint64_t bytes = 1'000'000;
  int depth = 32;             // lists and objects inside each other
  std::string skip = "";      // members of this name are skipped and take no memory
  bool unique_names = false;  // JSON allows equal names, and readers differ in which one they take
  std::string advice = "";    // what to do, for the end of messages
};

/// The value that `text` holds. `source` names the text in messages: "'config.json'", "line 3 of
/// 'metrics.jsonl'". An Error with line and column where it is malformed, nested too deep, too long
/// or has a number that no double holds.
nlohmann::json parse_json(std::string_view text, const std::string& source,
                          const JsonOptions& options = {});
/// The same; a value other than an object is an Error too.
nlohmann::json parse_json_object(std::string_view text, const std::string& source,
                                 const JsonOptions& options = {});
/// The same, with the keys in the order of the text.
nlohmann::ordered_json parse_ordered_object(std::string_view text, const std::string& source,
                                            const JsonOptions& options = {});
/// The value, or null if parse_json would throw.
nlohmann::json json_or_null(std::string_view text, const JsonOptions& options = {});

/// What the library says about a value that is not what was asked for, without the name of its
/// exception. For the last catch of a program: readers say it better.
std::string json_reason(const std::string& what);

}  // namespace npq
