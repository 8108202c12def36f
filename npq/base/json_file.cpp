#include "npq/base/json_file.h"

#include <cmath>
#include <string_view>

#include "npq/base/error.h"
#include "npq/base/mapped_file.h"

namespace npq {
namespace {

using nlohmann::json;

constexpr int kDeepest = 32;
constexpr std::int64_t kLargestCount = std::int64_t{1} << 53;

json parse(std::string_view text, const std::string& skip) {
  bool too_deep = false;
  const auto keep = [&](int depth, json::parse_event_t event, json& parsed) {
    if (depth > kDeepest) too_deep = true;
    const bool skipped = event == json::parse_event_t::key && !skip.empty() && parsed == skip;
    return !too_deep && !skipped;
  };
  auto parsed = json::parse(text, keep, /*allow_exceptions=*/false);
  return too_deep || !parsed.is_object() ? json() : parsed;
}

}  // namespace

json parse_object(const std::string& text, const std::string& skip) { return parse(text, skip); }

json read_object(const std::filesystem::path& path, std::uint64_t most, const std::string& skip) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  if (bytes.size() > most)
    throw Error("'{}' has {} bytes; expected at most {}: it is no file of a run", path.string(),
                bytes.size(), most);
  auto object = parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, skip);
  if (object.is_null())
    throw Error("'{}' is no JSON object: it is cut off or of another program", path.string());
  return object;
}

std::optional<double> number_at(const json& object, const std::string& key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  const auto number = found->get<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> count_at(const json& object, const std::string& key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  if (found->is_number_unsigned() && found->get<std::uint64_t>() > kLargestCount)
    return std::nullopt;
  const auto count = found->get<std::int64_t>();
  return count >= 0 && count <= kLargestCount ? std::optional(count) : std::nullopt;
}

std::string text_at(const json& object, const std::string& key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace npq
