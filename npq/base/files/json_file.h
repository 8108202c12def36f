#pragma once
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "npq/base/formats/json_text.h"

// JSON files that nobody vouches for: those of a run folder may be torn, huge or of another
// program.
namespace npq {

/// The object in a file. An Error where the file cannot be read, has more than `most` bytes or
/// holds something else, as parse_json_object says it. Members named `skip` are passed over, so
/// that an evaluation's predictions take no memory.
nlohmann::json read_object(const std::filesystem::path& path, std::uint64_t most = 1'000'000,
                           const std::string& skip = "");
/// The text of a file that a user names; it may also be a pipe. An Error where it has more than
/// `most` bytes.
std::string read_text(const std::filesystem::path& path, std::uint64_t most);

/// The finite number under a key; nothing where there is none.
std::optional<double> number_at(const nlohmann::json& object, const std::string& key);
/// The whole number from 0 to 2^53 under a key; nothing where there is none.
std::optional<std::int64_t> count_at(const nlohmann::json& object, const std::string& key);
/// The text under a key, empty where there is none.
std::string text_at(const nlohmann::json& object, const std::string& key);

}  // namespace npq
