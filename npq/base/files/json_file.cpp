#include "npq/base/files/json_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>

#include "npq/base/error.h"
#include "npq/base/files/file_error.h"
#include "npq/base/files/mapped_file.h"
#include "npq/base/files/retry.h"

namespace npq {
namespace {

using nlohmann::json;

constexpr std::int64_t kLargestCount = std::int64_t{1} << 53;

}  // namespace

json read_object(const std::filesystem::path& path, std::uint64_t most, const std::string& skip) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  return parse_json_object({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                           fmt::format("'{}'", path.string()), {.bytes = most, .skip = skip});
}

std::string read_text(const std::filesystem::path& path, std::uint64_t most) {
  const int descriptor = retry([&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  if (descriptor < 0) throw file_error("read", path, errno);
  std::string text;
  std::string piece(1 << 16, '\0');
  int code = 0;
  while (text.size() <= most) {
    const ssize_t count = retry([&] { return read(descriptor, piece.data(), piece.size()); });
    if (count < 0) code = errno;
    if (count <= 0) break;
    text.append(piece, 0, static_cast<std::size_t>(count));
  }
  close(descriptor);
  if (code != 0) throw file_error("read", path, code);
  if (text.size() > most)
    throw Error("'{}' has more than {} bytes, which no such file has", path.string(), most);
  return text;
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
