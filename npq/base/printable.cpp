#include "npq/base/printable.h"

#include <fmt/format.h>

namespace npq {

std::string printable(std::string_view name, std::size_t longest) {
  std::string text;
  for (const char c : name.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0x20 || byte >= 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return name.size() > longest ? text + "..." : text;
}

}  // namespace npq
