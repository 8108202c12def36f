#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace npq {

bool is_ascii(std::string_view text);
/// Whether the bytes are UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text);
/// The bytes of a UTF-8 text whose characters stand for one byte each (latin-1); nothing if one
/// does not.
std::optional<std::string> latin1_of_utf8(std::string_view text);

}  // namespace npq
