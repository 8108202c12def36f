#include "npq/base/formats/crc32c.h"

#include <array>

namespace npq {
namespace {

constexpr std::uint32_t kReflectedPolynomial = 0x82F63B78;

// What the eight bits of each possible byte do to the remainder.
constexpr std::array<std::uint32_t, 256> kByteRemainders = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) {
      remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? kReflectedPolynomial : 0);
    }
    table[byte] = remainder;
  }
  return table;
}();

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t remainder = 0xFFFFFFFF;
  for (const char c : bytes) {
    const auto byte = static_cast<std::uint8_t>(c);
    remainder = kByteRemainders[(remainder ^ byte) & 0xFF] ^ (remainder >> 8);
  }
  return ~remainder;
}

}  // namespace npq
