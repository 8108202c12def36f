#pragma once
#include <charconv>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "npq/base/error.h"
#include "npq/train/checkpoints/metadata.h"

// What the metadata of a saved state say; they are untrusted.
namespace npq::train {

/// A number of the metadata; an Error if there is none.
template <class Number>
Number number_of(const Metadata& metadata, const char* key, const std::filesystem::path& path) {
  const auto found = metadata.find(key);
  const std::string text = found == metadata.end() ? "" : found->second;
  Number number = 0;
  const auto* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || end != last)
    throw Error("'{}' does not say its '{}'; it is not the state of a run", path.string(), key);
  return number;
}

/// The object under "config", which a checkpoint and a state have; `what` the file should be is for
/// the message.
nlohmann::json stated_config(const Metadata& metadata, const std::filesystem::path& path,
                             const char* what);

/// An Error unless the state's `config` is that of this run; only the options `may_differ` may,
/// and the preset, which is in the options that it chose and which older runs do not name.
void check_same_run(const nlohmann::json& own, const Metadata& metadata,
                    std::span<const std::string> may_differ, const std::filesystem::path& path);

}  // namespace npq::train
