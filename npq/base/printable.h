#pragma once
#include <string>
#include <string_view>

namespace npq {

/// A name from an untrusted file, made safe for one line of an error message: control
/// characters and bytes beyond ASCII become \xNN, and what is longer than `longest` characters is
/// cut.
std::string printable(std::string_view name, std::size_t longest = 80);

}  // namespace npq
