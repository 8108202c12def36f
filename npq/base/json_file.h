#pragma once
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

// JSON that nobody vouches for: files of a run folder may be torn, huge or of another program.
namespace npq {

/// The object in a file. An Error where the file cannot be read, has more than `most` bytes, is no
/// JSON object or is nested deeper than any of ours. Members named `skip` are passed over, so that
/// an evaluation's predictions take no memory.
nlohmann::json read_object(const std::filesystem::path& path, std::uint64_t most,
                           const std::string& skip = "");
/// The object in a line of text; null where it is none.
nlohmann::json parse_object(const std::string& text, const std::string& skip = "");

/// The finite number under a key; nothing where there is none.
std::optional<double> number_at(const nlohmann::json& object, const std::string& key);
/// The whole number from 0 to 2^53 under a key; nothing where there is none.
std::optional<std::int64_t> count_at(const nlohmann::json& object, const std::string& key);
/// The text under a key, empty where there is none.
std::string text_at(const nlohmann::json& object, const std::string& key);

}  // namespace npq
