#include "npq/base/utf8.h"

#include <algorithm>
#include <cstdint>

namespace npq {
namespace {

// Takes one character off the text; nothing if it is not UTF-8.
std::optional<std::uint32_t> take_character(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0x80             ? 1
                             : (first & 0xe0) == 0xc0 ? 2
                             : (first & 0xf0) == 0xe0 ? 3
                             : (first & 0xf8) == 0xf0 ? 4
                                                      : 0;
  if (length == 0 || text.size() < length) return std::nullopt;
  std::uint32_t character = length == 1 ? first : first & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) return std::nullopt;
    character = (character << 6) | (next & 0x3f);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (character < kSmallest[length] || character > 0x10ffff ||
      (character >= 0xd800 && character <= 0xdfff)) {
    return std::nullopt;
  }
  text.remove_prefix(length);
  return character;
}

}  // namespace

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    if (!take_character(text)) return false;
  }
  return true;
}

std::optional<std::string> latin1_of_utf8(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  while (!text.empty()) {
    const auto character = take_character(text);
    if (!character || *character > 0xff) return std::nullopt;
    bytes += static_cast<char>(*character);
  }
  return bytes;
}

}  // namespace npq
