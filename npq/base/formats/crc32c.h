#pragma once
#include <cstdint>
#include <string_view>

namespace npq {

/// The checksum CRC-32C (Castagnoli): the polynomial 0x1EDC6F41 with bits reflected, begun with all
/// ones and inverted at the end, as in RFC 3720, appendix B.4.
std::uint32_t crc32c(std::string_view bytes);

}  // namespace npq
