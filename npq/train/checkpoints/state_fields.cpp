#include "npq/train/checkpoints/state_fields.h"

#include <algorithm>

#include "npq/base/formats/json_text.h"
#include "npq/base/formats/json_value.h"

namespace npq::train {

nlohmann::json stated_config(const Metadata& metadata, const std::filesystem::path& path,
                             const char* what) {
  const auto found = metadata.find("config");
  if (found == metadata.end())
    throw Error("'{}' does not say what it belongs to; it is not a {}", path.string(), what);
  return parse_json_object(found->second, fmt::format("'config' in '{}'", path.string()),
                           {.advice = fmt::format("it is not a {} of this program", what)});
}

void check_same_run(const nlohmann::json& own, const Metadata& metadata,
                    std::span<const std::string> may_differ, const std::filesystem::path& path) {
  const auto saved = stated_config(metadata, path, "state of a run");
  for (const auto& [key, value] : own.items()) {
    if (std::ranges::count(may_differ, key) > 0 || key == "preset" ||
        (saved.contains(key) && saved.at(key) == value))
      continue;
    throw Error("'{}' was saved with {} {}, but this run has {}; it belongs to another run",
                path.string(), key, saved.contains(key) ? json_shown(saved.at(key)) : "unknown",
                json_shown(value));
  }
}

}  // namespace npq::train
