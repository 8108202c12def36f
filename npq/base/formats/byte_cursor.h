#pragma once
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "npq/base/error.h"

namespace npq {

/// Reads little-endian numbers and runs of bytes one after the other and never beyond the end:
/// there it throws.
class ByteCursor {
 public:
  /// `file` names the source in messages and must outlive the cursor.
  ByteCursor(std::span<const std::byte> bytes, const std::string& file)
      : bytes_(bytes), file_(file) {}

  std::size_t position() const { return position_; }
  std::size_t remaining() const { return bytes_.size() - position_; }

  std::span<const std::byte> take(std::uint64_t count) {
    if (count > remaining()) {
      throw Error(
          "'{}' is cut off: {} more bytes were expected at byte {}, {} are left; copy it again",
          file_, count, position_, remaining());
    }
    const auto piece = bytes_.subspan(position_, static_cast<std::size_t>(count));
    position_ += piece.size();
    return piece;
  }

  std::string_view text(std::uint64_t count) {
    const auto piece = take(count);
    return {reinterpret_cast<const char*>(piece.data()), piece.size()};
  }

  /// What is left, without taking it.
  std::string_view rest() const {
    return {reinterpret_cast<const char*>(bytes_.data()) + position_, remaining()};
  }

  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::uint8_t u8() { return number<std::uint8_t>(); }
  std::uint16_t u16() { return number<std::uint16_t>(); }
  std::uint32_t u32() { return number<std::uint32_t>(); }
  std::uint64_t u64() { return number<std::uint64_t>(); }

 private:
  std::span<const std::byte> bytes_;
  const std::string& file_;
  std::size_t position_ = 0;
};

}  // namespace npq
