#pragma once
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "npq/base/formats/json_text.h"

// Untrusted JSON files: those of a run folder may be incomplete, huge or of another program.
namespace npq {

/// The object in a file. An Error if the file cannot be read, has more than `most` bytes or
/// holds something else, see parse_json_object. Members named `skip` are skipped, so
/// that an evaluation's predictions take no memory.
nlohmann::json read_object(const std::filesystem::path& path, std::uint64_t most = 1'000'000,
                           const std::string& skip = "");
/// The text of a file that a user names; it may also be a pipe. An Error if it has more than
/// `most` bytes.
std::string read_text(const std::filesystem::path& path, std::uint64_t most);

/// The finite number under a key; nothing if there is none.
std::optional<double> number_at(const nlohmann::json& object, const std::string& key);
/// The whole number from 0 to 2^53 under a key; nothing if there is none.
std::optional<std::int64_t> count_at(const nlohmann::json& object, const std::string& key);
/// The text under a key, empty if there is none.
std::string text_at(const nlohmann::json& object, const std::string& key);

}  // namespace npq
