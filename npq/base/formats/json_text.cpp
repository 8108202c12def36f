#include "npq/base/formats/json_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "npq/base/error.h"
#include "npq/base/formats/json_events.h"
#include "npq/base/formats/json_value.h"
#include "npq/base/printable.h"

namespace npq {
namespace {

using nlohmann::json;

constexpr int kOutOfRange = 406;  // the library's number for 1e999

/// "line 3, column 5" of a byte of the text.
std::string place(std::string_view text, std::size_t byte) {
  const auto before = text.substr(0, byte);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
  return fmt::format("line {}, column {}", line, column);
}

/// Keeps nothing, and remembers where and why the text stops being JSON.
class ErrorFinder final : public nlohmann::json_sax<json> {
 public:
  explicit ErrorFinder(std::string_view text) : text_(text) {}
  const std::string& sentence() const { return sentence_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(json::binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(std::string&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string& token,
                   const json::exception& error) override {
    const auto where = place(text_, position > 0 ? position - 1 : 0);
    if (error.id == kOutOfRange) {
      sentence_ = fmt::format(
          "has the number {} at {}, which is out of range; expected one up "
          "to 1.8e308",
          printable(token), where);
      return false;
    }
    const std::string_view words = error.what();
    const auto why = words.find(" - ");
    sentence_ = fmt::format("is malformed JSON at {}: {}", where,
                            printable(why == words.npos ? words : words.substr(why + 3), 200));
    return false;
  }

 private:
  std::string_view text_;
  std::string sentence_;
};

/// Where the text is nested deeper than allowed; npos if it is not. Counts the brackets outside
/// of strings before anything is kept.
std::size_t find_too_deep(std::string_view text, int most) {
  int depth = 0;
  bool inside = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (inside && c == '\\') {
      ++k;
    } else if (c == '"') {
      inside = !inside;
    } else if (!inside && (c == '[' || c == '{')) {
      if (++depth > most) return k;
    } else if (!inside && (c == ']' || c == '}')) {
      --depth;
    }
  }
  return text.npos;
}

/// What is wrong with the text before it is parsed; empty if nothing is.
std::string objection(std::string_view text, const JsonOptions& options) {
  const auto looked_at = text.substr(0, options.bytes);
  if (const auto deep = find_too_deep(looked_at, options.depth); deep != text.npos)
    return fmt::format(
        "is nested more than {} deep at {}; expected fewer brackets inside each other",
        options.depth, place(text, deep));
  if (text.size() > options.bytes)
    return fmt::format("has {} bytes; expected at most {}", text.size(), options.bytes);
  return "";
}

[[noreturn]] void fail(const std::string& source, const std::string& wrong,
                       const JsonOptions& options) {
  throw Error("{} {}{}{}", source, wrong, options.advice.empty() ? "" : "; ", options.advice);
}

/// Discarded if the text is malformed. `twice` becomes a name that an object has twice, where
/// these are looked for.
template <class Json>
Json parse_within(std::string_view text, const JsonOptions& options, std::string& twice) {
  if (options.skip.empty() && !options.unique_names)
    return Json::parse(text, nullptr, /*allow_exceptions=*/false);
  using Event = typename Json::parse_event_t;
  std::vector<std::set<std::string>> names;
  const auto keep = [&](int, Event event, Json& parsed) {
    if (event == Event::object_start) names.emplace_back();
    if (event == Event::object_end) names.pop_back();
    if (event != Event::key) return true;
    const auto& name = parsed.template get_ref<const std::string&>();
    if (options.unique_names && !names.back().insert(name).second) twice = name;
    return options.skip.empty() || name != options.skip;
  };
  return Json::parse(text, keep, /*allow_exceptions=*/false);
}

template <class Json>
Json parse(std::string_view text, const std::string& source, const JsonOptions& options) {
  if (const auto wrong = objection(text, options); !wrong.empty()) fail(source, wrong, options);
  std::string twice;
  auto value = parse_within<Json>(text, options, twice);
  if (!twice.empty())
    throw Error("{}: '{}' is there twice in one object; leave one of them out", source,
                printable(twice));
  if (!value.is_discarded()) return value;
  ErrorFinder finder(text);
  json::sax_parse(text, &finder);
  fail(source, finder.sentence(), options);
}

template <class Json>
Json parse_object_of(std::string_view text, const std::string& source, const JsonOptions& options) {
  auto value = parse<Json>(text, source, options);
  if (!value.is_object())
    fail(source,
         fmt::format("is {} instead of a JSON object; expected {{...}}",
                     value.is_array() ? "a list" : fmt::format("the value {}", json_shown(value))),
         options);
  return value;
}

}  // namespace

json parse_json(std::string_view text, const std::string& source, const JsonOptions& options) {
  return parse<json>(text, source, options);
}

json parse_json_object(std::string_view text, const std::string& source,
                       const JsonOptions& options) {
  return parse_object_of<json>(text, source, options);
}

nlohmann::ordered_json parse_ordered_object(std::string_view text, const std::string& source,
                                            const JsonOptions& options) {
  return parse_object_of<nlohmann::ordered_json>(text, source, options);
}

json json_or_null(std::string_view text, const JsonOptions& options) {
  if (!objection(text, options).empty()) return {};
  std::string twice;
  auto value = parse_within<json>(text, options, twice);
  return value.is_discarded() ? json() : value;
}

void read_json_events(std::string_view text, nlohmann::json_sax<json>& reader) {
  json::sax_parse(text, &reader);
}

std::string json_reason(const std::string& what) {
  const auto name = what.starts_with("[json.exception.") ? what.find("] ") : what.npos;
  return printable(name == what.npos ? what : what.substr(name + 2), 200);
}

}  // namespace npq
