#include "npq/train/state_fields.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace npq::train {

void check_same_run(const nlohmann::json& own, const Metadata& metadata,
                    std::span<const std::string_view> may_differ,
                    const std::filesystem::path& path) {
  const auto stated = metadata.find("config");
  const auto saved = nlohmann::json::parse(stated == metadata.end() ? "" : stated->second, nullptr,
                                           /*allow_exceptions=*/false);
  if (!saved.is_object())
    throw Error("'{}' does not say which run it belongs to; it is no state of a run",
                path.string());
  for (const auto& [key, value] : own.items()) {
    if (std::ranges::count(may_differ, key) > 0 || key == "preset" ||
        (saved.contains(key) && saved.at(key) == value))
      continue;
    throw Error("'{}' was saved with {} {}, but this run has {}; it belongs to another run",
                path.string(), key, saved.contains(key) ? saved.at(key).dump() : "unknown",
                value.dump());
  }
}

}  // namespace npq::train
